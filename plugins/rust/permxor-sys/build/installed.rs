// SPDX-License-Identifier: BSD-3-Clause

//! The library that is installed on the system.

use std::error::Error;

pub fn provide() -> Result<(), Box<dyn Error>> {
    pkg_config::Config::new()
        .range_version("0.1.0".."0.2.0")
        .probe("permxor")
        .map(|_| ())
        .map_err(|why| format!("libpermxor is not installed where pkg-config looks: {why}").into())
}
