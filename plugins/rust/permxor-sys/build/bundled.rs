// SPDX-License-Identifier: BSD-3-Clause

//! The library, compiled from the sources in this package.
//!
//! This does what configure.ac and the makefiles do for the library: which kernel sets there are
//! comes from kernel_sets.txt (see ../../../stage.sh), and a set is built if the compiler takes it.
//! Each set has flags of its own, and runs only after a look at the CPU.

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Mutex;
use std::thread;

type Res<T> = Result<T, Box<dyn Error>>;

pub fn provide() -> Res<()> {
    let target = Target::of_cargo()?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let tree = sources(&out)?;
    let sets = fs::read_to_string(tree.join("kernel_sets.txt"))?;
    let sets: Vec<Set> = sets.lines().filter_map(Set::parse).collect();

    let asm = target.takes_asm()?;
    let processor = take_processor();
    let mut objects = Vec::new();
    if asm {
        objects.push(assemble(&tree, &out)?);
    }
    let sets: Vec<Set> = sets.into_iter().filter(|set| set.arch == target.arch).collect();
    let rows: Vec<Row> = std::iter::once(Row::base(&tree, &processor))
        .chain(sets.iter().flat_map(|set| set.rows(&tree)))
        .collect();
    let mut compiled = in_parallel(&rows, |row| row.compile(&tree, asm, &out)).into_iter();
    objects.extend(compiled.next().expect("base is always there")?);
    let mut built = Vec::new();
    for set in &sets {
        let results: Vec<_> = compiled.by_ref().take(1 + set.variants.len()).collect();
        match results.into_iter().collect::<Result<Vec<_>, String>>() {
            Ok(files) => {
                objects.extend(files.into_iter().flatten());
                built.push(set.name.clone());
                built.extend(set.variants.iter().cloned());
            }
            Err(why) => println!(
                "cargo:warning=permxor: the kernel set {} is left out, because the C compiler \
                 does not take {}: {}",
                set.name,
                set.flags.join(" "),
                why.lines().next().unwrap_or("")
            ),
        }
    }
    let mut library = compiler(&tree, asm, &processor);
    let built: String = built.iter().map(|name| format!(" X({name})")).collect();
    library.define("PXR_KERNEL_SETS(X)", built.as_str());
    if target.arch == PORTABLE {
        library.define("PXR_ARCH_PORTABLE", None);
    }
    for file in common_files(&tree, &target)? {
        library.file(file);
    }
    for object in objects {
        library.object(object);
    }
    library.try_compile("permxor")?;
    Ok(())
}

/// The architecture of a processor for which there is no folder in arch/.
const PORTABLE: &str = "portable";

/// The architecture by the name of its folder in arch/, as in PXR_HOST_ARCH of m4/permxor.m4.
struct Target {
    arch: &'static str,
    os: String,
    elf: bool,
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
            _ => PORTABLE,
        };
        Ok(Target { arch, os, elf: asked("VENDOR") != "apple" })
    }

    /// Whether nasm assembles a part, which the feature asm asks for on x86-64.
    fn takes_asm(&self) -> Res<bool> {
        let asked = self.arch == "x86_64" && cfg!(feature = "asm");
        if asked && !self.elf {
            return Err(format!(
                "the feature asm makes objects in the format ELF, which {} does \
                                not take: build without it",
                self.os
            )
            .into());
        }
        Ok(asked)
    }
}

/// Takes a processor that CFLAGS names out of it, and returns the flags that name it.  CFLAGS may
/// come last on the command line, and would then take back what a kernel set's own flags add.
/// PXR_PROCESSOR in m4/permxor.m4 does the same.
fn take_processor() -> Vec<String> {
    let asked = |name| env::var(name).unwrap_or_default();
    let (host, target) = (asked("HOST"), asked("TARGET"));
    let kind = if host == target { "HOST" } else { "TARGET" };
    // The package cc takes the first one of these that is there.
    let names = [
        format!("CFLAGS_{target}"),
        format!("CFLAGS_{}", target.replace('-', "_")),
        format!("{kind}_CFLAGS"),
        "CFLAGS".into(),
    ];
    let found = names.iter().find_map(|name| Some((name, env::var(name).ok()?)));
    let (name, flags) = match found {
        Some(found) => found,
        None => return Vec::new(),
    };
    let names_processor = |flag: &&str| flag.starts_with("-march=") || flag.starts_with("-mcpu=");
    let (processor, others): (Vec<&str>, Vec<&str>) =
        flags.split_whitespace().partition(names_processor);
    if !processor.is_empty() {
        env::set_var(name, others.join(" "));
    }
    processor.into_iter().map(String::from).collect()
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
    let script = here.join("../../stage.sh");
    if !script.exists() {
        return Err(
            format!("{} is missing, so this crate is not complete", staged.display()).into()
        );
    }
    for folder in ["plugins/stage.sh", "include", "kernels", "erasure_code", "raid", "hash", "arch"]
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

    /// The rows of the registry that this set gives.  A variant NAME_xN is the same file with
    /// blocks of N vectors.
    fn rows<'a>(&'a self, tree: &Path) -> impl Iterator<Item = Row> + 'a {
        let file = tree.join(format!("arch/{}/kernel_{}.c", self.arch, self.name));
        std::iter::once(&self.name).chain(&self.variants).map(move |name| Row {
            name: name.clone(),
            file: file.clone(),
            flags: self.flags.clone(),
            unroll: name
                .strip_prefix(&self.name)
                .and_then(|end| end.strip_prefix("_x"))
                .map(String::from),
        })
    }
}

/// A row of the registry of kernel sets.
struct Row {
    name: String,
    file: PathBuf,
    flags: Vec<String>,
    unroll: Option<String>,
}

impl Row {
    fn base(tree: &Path, processor: &[String]) -> Row {
        let file = tree.join("kernels/kernel_base.c");
        Row { name: "base".into(), file, flags: processor.to_vec(), unroll: None }
    }

    fn compile(&self, tree: &Path, asm: bool, out: &Path) -> Result<Vec<PathBuf>, String> {
        let mut build = compiler(tree, asm, &self.flags);
        // Otherwise an intrinsic that the compiler does not know would be an error of the linker.
        build.flag("-Werror=implicit-function-declaration");
        // Each row has a folder, because rows with the same source have the same object name.
        build.file(&self.file).out_dir(out.join(&self.name)).cargo_warnings(false);
        if let Some(vectors) = &self.unroll {
            build.define("KERNEL_UNROLL", vectors.as_str());
        }
        build.try_compile_intermediates().map_err(|why| why.to_string())
    }
}

/// Does the work for each of the jobs, as many at a time as cargo runs, and returns the results in
/// the order of the jobs.  The kernel sets take nearly all of the time of a build.
fn in_parallel<J: Sync, R: Send>(jobs: &[J], work: impl Fn(&J) -> R + Sync) -> Vec<R> {
    let at_once = env::var("NUM_JOBS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..jobs.len().min(at_once) {
            scope.spawn(|| loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                match jobs.get(i) {
                    Some(job) => {
                        let result = work(job);
                        done.lock().expect("no job panics").push((i, result));
                    }
                    None => break,
                }
            });
        }
    });
    let mut done = done.into_inner().expect("no job panics");
    done.sort_by_key(|(i, _)| *i);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The compiler as for every file.  An unoptimised kernel would be useless, and the debugging
/// information of all kernels is hundreds of megabytes; so neither depends on the profile.
fn compiler(tree: &Path, asm: bool, flags: &[String]) -> cc::Build {
    let mut build = cc::Build::new();
    build.include(tree).opt_level(2).debug(false).warnings(false);
    if asm {
        build.define("PXR_HAVE_ASM", None);
    }
    for folder in ["include", "kernels", "erasure_code", "raid", "hash"] {
        build.include(tree.join(folder));
    }
    build.std("gnu11").flag("-fvisibility=hidden");
    for flag in flags {
        build.flag(flag);
    }
    build
}

/// All files of the library but the kernel sets, which are kernel_*.c.
fn common_files(tree: &Path, target: &Target) -> Res<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> = ["kernels", "erasure_code", "raid", "hash"]
        .iter()
        .map(|folder| tree.join(folder))
        .collect();
    if target.arch != PORTABLE {
        folders.push(tree.join("arch").join(target.arch));
    }
    let mut files = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_set = name.starts_with("kernel_");
            if name.ends_with(".c") && !is_set {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
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
