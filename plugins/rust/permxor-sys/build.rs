// SPDX-License-Identifier: BSD-3-Clause

//! Compiles the C library, or finds the system's (feature `system`).

#[cfg(not(feature = "system"))]
#[path = "build/bundled.rs"]
mod library;
#[cfg(feature = "system")]
#[path = "build/installed.rs"]
mod library;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");
    if let Err(why) = library::provide() {
        eprintln!("permxor-sys: {why}");
        std::process::exit(1);
    }
}
