# SPDX-License-Identifier: BSD-3-Clause
"""Profiles that the test asks the monitor to accept."""
import errno
import json
import re

from cluster_state import Wrong

# Both plugins must complete a good profile in the same way, and refuse a bad one in the same
# words.  Two things are left out because ours differs on purpose.  One is more shards than Ceph
# can number, which jerasure accepts before 20.2.  The other is mapping: the monitor's second
# init() of jerasure sees twice the chunks.
SETTINGS = (
    "", "k=0", "k=1", "k=33", "k=-1", "k=four", "k=4x", "k=99999999999",
    "m=0", "m=5", "m=33", "m=-1", "m=two", "k=4 m=", "k=18 m=4",
    "w=8", "w=16", "w=17", "w=eight",
    "technique=foo", "technique=", "technique=cauchy", "technique=cauchy k=20 m=12",
    "technique=cauchy m=33", "technique=cauchy_good", "technique=cauchy_good packetsize=x",
    "technique=reed_sol_van k=4 m=2", "technique=reed_sol_van k=4 m=2 w=16",
    "technique=reed_sol_van k=4 m=2 w=17", "technique=reed_sol_van k=4 m=2 w=eight",
    "technique=reed_sol_van k=20 m=4", "technique=reed_sol_van k=22 m=4",
    "technique=reed_sol_van k=2 m=1",
    "technique=reed_sol_van jerasure-per-chunk-alignment=maybe",
    "technique=reed_sol_r6_op", "technique=reed_sol_r6_op k=4 m=2",
    "technique=reed_sol_r6_op k=4 m=3", "technique=liberation k=4 m=2 w=7",
    "technique=liberation", "technique=liberation k=4 w=8", "technique=blaum_roth k=3",
    "technique=blaum_roth k=4 w=8 packetsize=6", "technique=liber8tion k=4",
    "technique=liber8tion m=3", "technique=cauchy_orig k=4 m=2 w=4 packetsize=1024",
    "technique=cauchy_good k=3 w=5 packetsize=16 jerasure-per-chunk-alignment=true",
    "crush-root=elsewhere", "crush-failure-domain=osd", "crush-failure-domain=nothing",
    "crush-device-class=none",
)


def name_of(code):
    return errno.errorcode.get(code, str(code))


def rule_of(cluster):
    """Returns a rule without the largest pool that it is for.  This is k+m, or with ours Ceph's
    usual 20.  From 18.2 on, a rule has no smallest pool either."""
    rule = cluster.mon("osd crush rule dump", name="tried")
    return json.dumps([rule["type"], rule.get("min_size"), rule["steps"]])


def attempt(cluster, pairs):
    """Returns the monitor's answer and, if it accepts the profile, the completed profile and a
    rule that is made of it."""
    code, message = cluster.try_mon("osd erasure-code-profile set", name="tried", profile=pairs)
    message = re.sub("^load: [a-z]+ ", "", message)  # with a plugin's first profile only
    answer = [f"{name_of(code)} {message}"]
    if code == 0:
        answer.append(json.dumps(cluster.mon("osd erasure-code-profile get", name="tried")))
        code, message = cluster.try_mon("osd crush rule create-erasure", name="tried",
                                        profile="tried")
        answer.append(rule_of(cluster) if code == 0 else f"rule: {name_of(code)} {message}")
        if code == 0:
            cluster.mon("osd crush rule rm", name="tried")
        cluster.mon("osd erasure-code-profile rm", name="tried")
    return answer


def profiles(cluster, file, *plugins):
    """Writes the monitor's answers to profiles of the plugins into the file."""
    answers = [f"{plugin} {settings}: {line}"
               for plugin in plugins
               for settings in SETTINGS
               for line in attempt(cluster, [f"plugin={plugin}", *settings.split()])]
    with open(file, "w", encoding="utf-8") as out:
        print(*answers, sep="\n", file=out)
    refused = sum(": E" in answer and ": rule:" not in answer for answer in answers)
    return f"{len(SETTINGS) * len(plugins)} profiles, {refused} of them refused"


def refused(cluster, code, text, *pairs):
    """Checks that the profile is refused with this errno, and with this text in the message."""
    found, message = cluster.try_mon("osd erasure-code-profile set", name="bad", profile=pairs)
    if name_of(found) != code or text not in message:
        raise Wrong(f"{name_of(found)} {message}")
    if "bad" in cluster.mon("osd erasure-code-profile ls"):
        raise Wrong("refused, but the profile is there")
    return f"{code} {message}"
