// SPDX-License-Identifier: BSD-3-Clause

//! The library, compiled from the sources in this package.
//!
//! This does what configure.ac and the makefiles do for the library: which kernel sets there are
//! comes from kernel_sets.txt (see ../../stage.sh), and a set is built if the compiler takes it.
//! Each set has flags of its own, and runs only after a look at the CPU.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

type Res<T> = Result<T, Box<dyn Error>>;

pub fn provide() -> Res<()> {
    let target = Target::of_cargo()?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let tree = sources(&out)?;
    let sets = fs::read_to_string(tree.join("kernel_sets.txt"))?;
    let sets: Vec<Set> = sets.lines().filter_map(Set::parse).collect();

    let include = out.join("config");
    fs::create_dir_all(&include)?;
    let asm = target.arch == "x86_64" && cfg!(feature = "asm");
    let mut objects = Vec::new();
    if asm {
        objects.push(assemble(&tree, &out)?);
    }
    // The files of the sets look only for PXR_HAVE_ASM.
    write_config(&include, &target, &[], asm)?;
    let mut built = Vec::new();
    for set in sets.iter().filter(|set| set.arch == target.arch) {
        match set.compile(&tree, &include, &out) {
            Ok(files) => {
                objects.extend(files);
                built.extend(set.rows());
            }
            Err(why) => println!(
                "cargo:warning=permxor: the kernel set {} is left out, because the C compiler \
                 does not take {}: {}",
                set.name,
                set.flags.join(" "),
                why.to_string().lines().next().unwrap_or("")
            ),
        }
    }
    write_config(&include, &target, &built, asm)?;
    let mut library = compiler(&tree, &include);
    library.define("PXR_TUNE_FILE", "\"/usr/local/etc/permxor/tune\"");
    for file in common_files(&tree, &target)? {
        library.file(file);
    }
    for object in objects {
        library.object(object);
    }
    library.try_compile("permxor")?;
    Ok(())
}

/// The architecture by the name of its folder in arch/, as in PXR_HOST_ARCH of m4/permxor.m4.
struct Target {
    arch: &'static str,
    os: String,
}

impl Target {
    fn of_cargo() -> Res<Target> {
        let asked = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
        let os = asked("OS");
        if asked("FAMILY") != "unix" {
            return Err(format!("permxor needs a system like Unix, and {os} is none").into());
        }
        let linux = os == "linux";
        let arch = match (asked("ARCH").as_str(), asked("ENDIAN").as_str()) {
            ("x86_64", _) if asked("POINTER_WIDTH") == "64" => "x86_64",
            ("aarch64", "little") => "aarch64",
            ("powerpc64", "little") if linux => "ppc64le",
            ("riscv64", _) if linux => "riscv64",
            ("s390x", _) if linux => "s390x",
            ("loongarch64", _) if linux => "loongarch64",
            _ => "portable",
        };
        Ok(Target { arch, os })
    }
}

/// The folder with the sources: c/ in a published crate.  In permxor's repository stage.sh makes
/// one.
fn sources(out: &Path) -> Res<PathBuf> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let staged = here.join("c");
    if staged.exists() {
        println!("cargo:rerun-if-changed=c");
        return Ok(staged);
    }
    let script = here.join("../stage.sh");
    if !script.exists() {
        return Err(
            format!("{} is missing, so this crate is not complete", staged.display()).into()
        );
    }
    for folder in
        ["plugins/rust/stage.sh", "include", "kernels", "erasure_code", "raid", "hash", "arch"]
    {
        println!("cargo:rerun-if-changed=../../../{folder}");
    }
    let tree = out.join("c");
    if tree.exists() {
        fs::remove_dir_all(&tree)?;
    }
    let status = Command::new("sh").arg(&script).arg(&tree).status()?;
    if !status.success() {
        return Err(format!("{} failed", script.display()).into());
    }
    Ok(tree)
}

/// A kernel set, and how to compile it.
struct Set {
    arch: String,
    name: String,
    flags: Vec<String>,
    variants: Vec<String>,
}

impl Set {
    fn parse(line: &str) -> Option<Set> {
        let words = |text: &str| text.split_whitespace().map(String::from).collect();
        let mut fields = line.split('\t');
        Some(Set {
            arch: fields.next()?.into(),
            name: fields.next()?.into(),
            flags: words(fields.next()?),
            variants: words(fields.next().unwrap_or("")),
        })
    }

    /// The rows of the registry that this set gives.
    fn rows(&self) -> impl Iterator<Item = String> + '_ {
        std::iter::once(self.name.clone()).chain(self.variants.iter().cloned())
    }

    /// Compiles the set and its variants.  A variant NAME_xN is the same file with blocks of N
    /// vectors.
    fn compile(&self, tree: &Path, include: &Path, out: &Path) -> Res<Vec<PathBuf>> {
        let file = tree.join(format!("arch/{}/kernel_{}.c", self.arch, self.name));
        let mut objects = Vec::new();
        for row in self.rows() {
            let mut build = compiler(tree, include);
            // Each row has a folder, because rows with the same source have the same object name.
            build.file(&file).out_dir(out.join(&row)).cargo_warnings(false);
            for flag in &self.flags {
                build.flag(flag);
            }
            if let Some((_, vectors)) =
                row.strip_prefix(&self.name).and_then(|end| end.split_once("_x"))
            {
                build.define("KERNEL_UNROLL", vectors);
            }
            objects.extend(build.try_compile_intermediates()?);
        }
        Ok(objects)
    }
}

/// The compiler as for every file.  An unoptimised kernel would be useless, and the debugging
/// information of all kernels is hundreds of megabytes; so neither depends on the profile.
fn compiler(tree: &Path, include: &Path) -> cc::Build {
    let mut build = cc::Build::new();
    build.include(include).opt_level(2).debug(false).warnings(false);
    for folder in ["include", "kernels", "erasure_code", "raid", "hash"] {
        build.include(tree.join(folder));
    }
    build.std("gnu11").flag("-fvisibility=hidden");
    build
}

/// All files of the library but the kernel sets.
fn common_files(tree: &Path, target: &Target) -> Res<Vec<PathBuf>> {
    let arch = tree.join("arch").join(target.arch);
    let mut folders: Vec<PathBuf> = ["kernels", "erasure_code", "raid", "hash"]
        .iter()
        .map(|folder| tree.join(folder))
        .collect();
    let portable = target.arch == "portable";
    if !portable {
        folders.push(arch.clone());
    }
    let mut files = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_set = folder == arch && name.starts_with("kernel_");
            if name.ends_with(".c") && !is_set {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Writes what configure writes to config.h, as far as these files look at it.
fn write_config(folder: &Path, target: &Target, sets: &[String], asm: bool) -> Res<()> {
    let mut text = String::from("#define _GNU_SOURCE 1\n");
    match target.os.as_str() {
        "linux" => text += "#define HAVE_SECURE_GETENV 1\n",
        "macos" | "ios" | "freebsd" | "netbsd" | "openbsd" | "dragonfly" => {
            text += "#define HAVE_ISSETUGID 1\n"
        }
        _ => {}
    }
    if target.arch == "portable" {
        text += "#define PXR_ARCH_PORTABLE 1\n";
    }
    if asm {
        text += "#define PXR_HAVE_ASM 1\n";
    }
    let rows: String = sets.iter().map(|set| format!(" X({set})")).collect();
    text += &format!("#define PXR_KERNEL_SETS(X){rows}\n");
    fs::write(folder.join("config.h"), text)?;
    Ok(())
}

/// Assembles the dot products of ssse3 and avx2.
fn assemble(tree: &Path, out: &Path) -> Res<PathBuf> {
    println!("cargo:rerun-if-env-changed=NASM");
    let nasm = env::var("NASM").unwrap_or_else(|_| "nasm".into());
    let object = out.join("gf_dot_prod.o");
    let folder = tree.join("arch/x86_64");
    let status = Command::new(&nasm)
        .args(["-f", "elf64", "-i"])
        .arg(format!("{}/", folder.display()))
        .arg("-o")
        .arg(&object)
        .arg(folder.join("gf_dot_prod.asm"))
        .status()
        .map_err(|why| format!("the feature asm needs {nasm}: {why}"))?;
    if status.success() {
        Ok(object)
    } else {
        Err(format!("{nasm} failed").into())
    }
}
