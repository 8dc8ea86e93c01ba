// SPDX-License-Identifier: BSD-3-Clause

//! Parity that klauspost/reedsolomon 1.14.2 has computed with its default matrix, which is also
//! MinIO's.  Byte b of data shard j is j*31 + b*17 + j*b + 7 modulo 256.

use permxor::{Code, Matrix};

const KNOWN: [(usize, usize, &[&str]); 5] = [
    (4, 2, &["8398053d98edff7e", "a2b859ecbdb65fde"]),
    (10, 4, &["205874a7d60fee76", "c1785e715d992a16", "5c98ed8082f5848b", "bdb827973f882a80"]),
    (12, 4, &["c098a0d744c8b339", "06b8fe8aa70e5f89", "76d858b61f24f6d9", "30f89a430c3266e9"]),
    (
        20,
        12,
        &[
            "9b9877b7a3cc7475",
            "11b8f05474391059",
            "36d8483a86210988",
            "3cf8e38566574fcd",
            "9e18d1a9deedb13c",
            "4838496e5e636f21",
            "4958b53fba9c77e0",
            "9f78bfbc0e0a6fad",
            "ad983ca3fc5c203f",
            "10b83be859b5d68b",
            "15d87fa2c6e7d040",
            "a8f85229c0e546ed",
        ],
    ),
    (
        250,
        6,
        &[
            "4d58197f90840d9a",
            "6c78b08175a878c0",
            "8b98a1d7e6cce1e6",
            "aab86ab1bbf06e0c",
            "c9d8e282b514e232",
            "e8f8eb6c98386f58",
        ],
    ),
];

#[test]
fn klauspost_has_computed_the_same() {
    for (k, m, right) in KNOWN {
        let byte = |j: usize, b: usize| (j * 31 + b * 17 + j * b + 7) as u8;
        let data: Vec<Vec<u8>> = (0..k).map(|j| (0..8).map(|b| byte(j, b)).collect()).collect();
        let mut parity = vec![[0u8; 8]; m];
        Code::new(k, m, Matrix::Klauspost).unwrap().encode(&data, &mut parity).unwrap();
        let found: Vec<String> =
            parity.iter().map(|p| format!("{:016x}", u64::from_be_bytes(*p))).collect();
        assert_eq!(found, right, "{k}+{m}");
    }
}
