// SPDX-License-Identifier: BSD-3-Clause

//! Linear hashes against their definition.

mod reference;

use permxor::{BitMatrix, Code, Hash, Located, Matrix, Mds};
use reference::{mul, Random};

/// p(t) without its highest term, as coefficients from t^0 on (doc/hash.md).
fn polynomial(size: usize) -> Vec<u8> {
    let mut terms = vec![0; size];
    match size {
        4 => (terms[0], terms[2], terms[3]) = (2, 5, 1),
        8 => (terms[0], terms[1], terms[3]) = (4, 6, 1),
        16 => (terms[0], terms[1], terms[3]) = (2, 5, 1),
        _ => unreachable!(),
    }
    terms
}

/// The product of two elements of GF(2^8)[t]/p(t).
fn field_product(a: &[u8], b: &[u8]) -> Vec<u8> {
    let p = polynomial(a.len());
    let mut sum = vec![0; a.len()];
    for &coefficient in b.iter().rev() {
        let highest = sum.pop().unwrap();
        sum.insert(0, 0);
        for i in 0..a.len() {
            sum[i] ^= mul(highest, p[i]) ^ mul(coefficient, a[i]);
        }
    }
    sum
}

/// The sum of x[i] * key^(offset + i).
fn by_definition(key: &[u8], offset: usize, bytes: &[u8]) -> Vec<u8> {
    let mut power = vec![0; key.len()];
    power[0] = 1;
    for _ in 0..offset {
        power = field_product(&power, key);
    }
    let mut sum = vec![0; key.len()];
    for &byte in bytes {
        for (sum, &power) in sum.iter_mut().zip(&power) {
            *sum ^= mul(byte, power);
        }
        power = field_product(&power, key);
    }
    sum
}

#[test]
fn hashes_are_what_they_are_defined_as() {
    let mut random = Random::new(1);
    for size in [4, 8, 16] {
        let bytes = random.bytes(300);
        let mut t = vec![0; size];
        t[1] = 1;
        assert_eq!(Hash::new(size).unwrap().of(&bytes), by_definition(&t, 0, &bytes));
        let key = random.bytes(size);
        let hash = Hash::with_key(&key).unwrap();
        assert_eq!(hash.size(), size);
        assert_eq!(hash.of(&bytes), by_definition(&key, 0, &bytes));
        let mut sum = vec![0; size];
        hash.add(77, &bytes, &mut sum).unwrap();
        assert_eq!(sum, by_definition(&key, 77, &bytes));
        let mut combined = vec![0; size];
        hash.combine(77, &hash.of(&bytes), &mut combined).unwrap();
        assert_eq!(combined, sum);
    }
}

/// doc/hash.md and permxor_hash.h define the sketch of Ceph's pull request 71721.
#[test]
fn the_sketch_of_ceph() {
    let bytes = Random::new(2).bytes(1000);
    let mut right = [0u8; 4];
    for (i, &byte) in bytes.iter().enumerate() {
        for (l, sum) in right.iter_mut().enumerate() {
            let v = (i as u64)
                .wrapping_mul(6364136223846793005)
                .wrapping_add(l as u64 * 2891336453)
                .wrapping_add(1442695040888963407);
            *sum ^= mul(byte, ((v >> 33) as u8).max(1));
        }
    }
    assert_eq!(Hash::ceph_71721().unwrap().of(&bytes), right);
}

/// Checks a stripe of the code from hashes of its shards.
fn hashes_follow_the_code(code: &Code, hash: &Hash, len: usize) {
    let mut random = Random::new(len as u64);
    let mut shards = random.shards(code.shards(), len);
    let (data, parity) = shards.split_at_mut(code.k());
    code.encode(data, parity).unwrap();

    let size = hash.shard_size(code).unwrap();
    let sum_of = |shard: &Vec<u8>| {
        let mut sum = vec![0; size];
        let half = len / 2 / code.unit() * code.unit();
        hash.add_shard(code, half as u64, &shard[half..], &mut sum).unwrap();
        hash.add_shard(code, 0, &shard[..half], &mut sum).unwrap();
        sum
    };
    let check = |sums: &[Vec<u8>], without: usize| {
        let (data, parity) = sums.split_at(code.k());
        let there = |(i, sum)| if code.k() + i == without { None } else { Some(sum) };
        let parity: Vec<_> = parity.iter().enumerate().map(there).collect();
        hash.check(code, data, &parity).unwrap()
    };
    let mut sums: Vec<Vec<u8>> = shards.iter().map(sum_of).collect();
    assert!(check(&sums, code.shards()));
    assert_eq!(hash.locate(code, &sums), Ok(Located::Agree));
    let mut parity = vec![vec![0; size]; code.m()];
    hash.encode(code, &sums[..code.k()], &mut parity).unwrap();
    assert_eq!(parity, sums[code.k()..]);
    for wrong in 0..code.shards() {
        let good = sums[wrong].clone();
        let mut shard = shards[wrong].clone();
        shard[random.below(len)] ^= 1;
        sums[wrong] = sum_of(&shard);
        assert!(!check(&sums, code.shards()));
        assert_eq!(check(&sums, wrong), wrong >= code.k());
        assert_eq!(hash.locate(code, &sums), Ok(Located::Shard(wrong)));
        sums[wrong] = good;
    }
}

#[test]
fn hashes_of_parity_are_the_parity_of_hashes() {
    let bytes = Code::new(5, 3, Matrix::Klauspost).unwrap();
    let packets = Code::bits(4, 2, BitMatrix::CauchyGood, 4, 16, Mds::Prove).unwrap();
    for hash in [Hash::new(4), Hash::with_key(b"key of 8"), Hash::new(16)] {
        let hash = hash.unwrap();
        hashes_follow_the_code(&bytes, &hash, 1000);
        hashes_follow_the_code(&packets, &hash, 10 * packets.unit());
    }
}
