# SPDX-License-Identifier: BSD-3-Clause
"""What a reader must know about the machine, without its name or its user's."""
import os
import platform
import re
from pathlib import Path

FEATURES = ("ssse3", "avx2", "avx512f", "avx512bw", "avx512vl", "avx512vbmi", "avx512_fp16",
            "gfni", "amx_tile", "asimd", "sha3", "sve", "sve2", "altivec", "vx")
FEATURE_LINES = ("flags", "Features", "features", "cpu")  # x86, Arm, s390x, POWER


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _processor() -> dict[str, str]:
    """Returns the first paragraph of /proc/cpuinfo."""
    first = _read("/proc/cpuinfo").split("\n\n")[0]
    pairs = (line.split(":", 1) for line in first.splitlines() if ":" in line)
    return {name.strip(): value.strip() for name, value in pairs}


def _caches() -> str:
    found = []
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        kind = _read(f"{index}/type")
        if kind != "Instruction":
            found.append(f"L{_read(f'{index}/level')} {_read(f'{index}/size')}")
    return ", ".join(found)


def family_model(cpu: dict[str, str]) -> str:
    """Returns FAMILY-MODEL, or the corresponding numbers of Arm, or the kind of any other
    processor."""
    for family, model in (("cpu family", "model"), ("CPU implementer", "CPU part")):
        if family in cpu and model in cpu:
            return f"{cpu[family]}-{cpu[model]}"
    return re.sub(r"[^a-z0-9]+", "-", cpu.get("cpu", platform.machine()).lower()).strip("-")


def _model(cpu: dict[str, str]) -> str:
    name = next((cpu[key] for key in ("model name", "cpu", "uarch", "Processor") if key in cpu),
                platform.machine())
    numbers = [f"{key} {cpu[key]}" for key in ("cpu family", "model", "stepping",
                                               "CPU implementer", "CPU part") if key in cpu]
    return f"{name} ({', '.join(numbers)})" if numbers else name


def _features(cpu: dict[str, str]) -> str:
    flags = set(" ".join(cpu.get(key, "") for key in FEATURE_LINES).replace(",", "").split())
    found = [name for name in FEATURES if name in flags]
    return ", ".join(found + (["virtual machine"] if "hypervisor" in flags else []))


def _memory() -> str:
    match = re.search(r"MemTotal:\s*(\d+)", _read("/proc/meminfo"))
    return f"{int(match[1]) / 2**20:.1f} GiB" if match else ""


def _system() -> str:
    names = dict(line.split("=", 1) for line in _read("/etc/os-release").splitlines()
                 if "=" in line)
    version = re.match(r"[\d.]*", platform.release())[0]  # the rest is the name that its
                                                          # builder gave it
    return f"{names.get('PRETTY_NAME', '').strip(chr(34))}, {platform.system()} {version}"


def describe() -> dict[str, str]:
    """Returns words for a table, without those that cannot be found out."""
    cpu = _processor()
    governor = _read("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    words = {
        "family-model": family_model(cpu),
        "vendor": cpu.get("vendor_id", ""),
        "processor": _model(cpu),
        "features": _features(cpu),
        "cores": f"{os.cpu_count()}, of which this process may use "
                 f"{len(os.sched_getaffinity(0))}",
        "caches": _caches(),
        "memory": _memory(),
        "system": _system(),
        "frequency governor": governor,
        "huge pages": _read("/sys/kernel/mm/transparent_hugepage/enabled"),
    }
    return {name: value for name, value in words.items() if value}
