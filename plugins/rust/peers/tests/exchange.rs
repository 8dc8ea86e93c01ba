// SPDX-License-Identifier: BSD-3-Clause

//! What one crate has encoded, another one verifies and rebuilds.

use std::collections::BTreeMap;

use peers::{bytes, Bytes, CODERS};
use permxor::{Code, Located, Matrix};

const SHAPES: [(usize, usize); 10] =
    [(1, 1), (2, 1), (3, 5), (4, 2), (10, 4), (12, 4), (17, 3), (32, 32), (100, 20), (200, 56)];

/// Lengths that all coders take: even ones.
const LENGTHS: [usize; 3] = [2, 64, 1500];

fn refs(shards: &[Vec<u8>]) -> Vec<&[u8]> {
    shards.iter().map(|shard| &shard[..]).collect()
}

fn data_of(k: usize, len: usize) -> Vec<Vec<u8>> {
    (0..k).map(|j| bytes((k * 1000 + j) as u64, len)).collect()
}

#[test]
fn coders_with_the_same_matrix_give_the_same_parity() {
    for (k, m) in SHAPES {
        for len in LENGTHS {
            let data = data_of(k, len);
            let mut found: BTreeMap<String, (&str, Vec<Vec<u8>>)> = BTreeMap::new();
            for (name, bytes, make) in CODERS {
                // rusty_erasure takes at most 255 shards.
                if bytes == Bytes::Leopard || (name == "rusty_erasure" && k + m > 255) {
                    continue;
                }
                let mut parity = vec![vec![0xaa; len]; m];
                let mut outputs: Vec<&mut [u8]> = parity.iter_mut().map(|p| &mut p[..]).collect();
                make(k, m).encode(&refs(&data), &mut outputs);
                match found.get(&format!("{bytes:?}")) {
                    None => {
                        found.insert(format!("{bytes:?}"), (name, parity));
                    }
                    Some((first, right)) => {
                        assert!(*right == parity, "{first} and {name}: {k}+{m} of {len}");
                    }
                }
            }
            assert_eq!(found.len(), 2);
        }
    }
}

/// ISA-L's Vandermonde matrix, where it is MDS.
#[test]
fn rusty_erasure_with_the_vandermonde_matrix() {
    for (k, m) in [(4, 2), (10, 3), (21, 4), (5, 5)] {
        let data = data_of(k, 500);
        let theirs = rusty_erasure::Matrix::reed_solomon(k, m).unwrap();
        let theirs = rusty_erasure::coder(theirs).unwrap();
        let (mut one, mut two) = (vec![vec![0; 500]; m], vec![vec![0; 500]; m]);
        let mut outputs: Vec<&mut [u8]> = one.iter_mut().map(|p| &mut p[..]).collect();
        theirs.encode(&refs(&data), &mut outputs).unwrap();
        Code::new(k, m, Matrix::IsalVandermonde).unwrap().encode(&data, &mut two).unwrap();
        assert_eq!(one, two);
    }
}

/// Which shards of the n are lost in round number `round`: m of them.
fn lost(n: usize, m: usize, round: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    for (i, random) in bytes(round as u64, n).into_iter().enumerate() {
        order.swap(i, random as usize % n);
    }
    order.truncate(m);
    order
}

/// Each of both crates rebuilds what the other one has encoded, with the same calls.
macro_rules! exchange {
    ($name:ident, $theirs:ident) => {
        #[test]
        fn $name() {
            use permxor::rse::galois_8::ReedSolomon as Ours;
            use $theirs::galois_8::ReedSolomon as Theirs;
            for (k, m) in SHAPES {
                let (ours, theirs) = (Ours::new(k, m).unwrap(), Theirs::new(k, m).unwrap());
                for round in 0..10 {
                    let mut shards = data_of(k, 99 + round);
                    shards.resize(k + m, vec![0; 99 + round]);
                    if round % 2 == 0 {
                        ours.encode(&mut shards).unwrap();
                    } else {
                        theirs.encode(&mut shards).unwrap();
                    }
                    assert!(ours.verify(&shards).unwrap());
                    assert!(theirs.verify(&shards).unwrap());
                    let mut left: Vec<Option<Vec<u8>>> = shards.iter().cloned().map(Some).collect();
                    for i in lost(k + m, m, round) {
                        left[i] = None;
                    }
                    let mut other = left.clone();
                    ours.reconstruct(&mut left).unwrap();
                    theirs.reconstruct(&mut other).unwrap();
                    assert_eq!(left, other);
                    assert_eq!(left.into_iter().flatten().collect::<Vec<_>>(), shards);
                }
            }
        }
    };
}

exchange!(exchange_with_reed_solomon_erasure, reed_solomon_erasure);
exchange!(exchange_with_rustfs_erasure_codec, rustfs_erasure_codec);

/// Where a shard is wrong, both crates still give the same bytes, because both read the first k
/// shards that are there.
#[test]
fn wrong_shards_are_rebuilt_alike() {
    for (k, m) in [(4, 3), (10, 4)] {
        let ours = permxor::rse::galois_8::ReedSolomon::new(k, m).unwrap();
        let theirs = reed_solomon_erasure::galois_8::ReedSolomon::new(k, m).unwrap();
        let shards: Vec<Vec<u8>> = (0..k + m).map(|i| bytes(i as u64, 50)).collect();
        for round in 0..20 {
            for only_data in [false, true] {
                let flags = |i: usize| !lost(k + m, m - 1, round).contains(&i);
                let left = || -> Vec<(Vec<u8>, bool)> {
                    shards.iter().cloned().enumerate().map(|(i, shard)| (shard, flags(i))).collect()
                };
                let (mut one, mut two) = (left(), left());
                if only_data {
                    ours.reconstruct_data(&mut one).unwrap();
                    theirs.reconstruct_data(&mut two).unwrap();
                } else {
                    ours.reconstruct(&mut one).unwrap();
                    theirs.reconstruct(&mut two).unwrap();
                }
                assert_eq!(one, two);
            }
        }
    }
}

/// permxor finds a wrong shard in what the other crate has encoded.
#[test]
fn a_wrong_shard_of_another_crate_is_located() {
    let theirs = reed_solomon_erasure::galois_8::ReedSolomon::new(6, 3).unwrap();
    let mut shards = data_of(6, 300);
    shards.resize(9, vec![0; 300]);
    theirs.encode(&mut shards).unwrap();
    shards[4][123] ^= 1;
    let code = Code::new(6, 3, Matrix::Klauspost).unwrap();
    assert_eq!(code.locate(&shards), Ok(Located::Shard(4)));
}
