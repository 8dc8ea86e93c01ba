// SPDX-License-Identifier: BSD-3-Clause

//! Codes against the mathematics of reference/.

mod reference;

use permxor::{BitMatrix, Change, Code, Error, Located, Matrix, Mds, Plan, WordMatrix};
use reference::{encode, Random, Rows};

/// Shapes whose matrices are all MDS, and which take each way through the lists of addresses.
const SHAPES: [(usize, usize); 7] = [(1, 1), (2, 3), (4, 2), (10, 3), (60, 3), (64, 3), (100, 2)];
const LENGTHS: [usize; 7] = [0, 1, 15, 64, 100, 300, 2100];

type MatrixRows = fn(usize, usize) -> Rows;
const MATRICES: [(Matrix, MatrixRows); 3] = [
    (Matrix::IsalVandermonde, reference::isal_vandermonde),
    (Matrix::IsalCauchy, reference::isal_cauchy),
    (Matrix::Klauspost, reference::klauspost),
];

#[test]
fn parity_is_the_product_with_the_matrix() {
    let mut random = Random::new(1);
    for (matrix, rows_of) in MATRICES {
        for (k, m) in SHAPES {
            let code = Code::new(k, m, matrix).unwrap();
            let rows = rows_of(k, m);
            assert_eq!(code.coefficients().unwrap(), rows.concat(), "{matrix:?} {k}+{m}");
            for len in LENGTHS {
                let data = random.shards(k, len);
                let mut parity = vec![vec![1; len]; m];
                code.encode(&data, &mut parity).unwrap();
                assert_eq!(parity, encode(&rows, &data), "{matrix:?} {k}+{m} of {len}");
            }
        }
    }
}

/// jerasure's matrices: the first row is ones, and Raid6's second row is the powers of two.
#[test]
fn jerasure_matrices() {
    let code = Code::new(5, 2, Matrix::JerasureRaid6).unwrap();
    assert_eq!(code.coefficients().unwrap(), [1, 1, 1, 1, 1, 1, 2, 4, 8, 16]);
    let code = Code::new(5, 3, Matrix::JerasureVandermonde).unwrap();
    let rows = code.coefficients().unwrap();
    assert_eq!(rows[..5], [1; 5]);
    assert_eq!((rows[5], rows[10]), (1, 1));
    assert_eq!(code.matrix_name(), "jerasure_van");
}

/// All shards of a stripe.
fn stripe(code: &Code, random: &mut Random, len: usize) -> Vec<Vec<u8>> {
    let mut shards = random.shards(code.shards(), len);
    let (data, parity) = shards.split_at_mut(code.k());
    code.encode(data, parity).unwrap();
    shards
}

#[test]
fn every_pattern_of_losses_is_rebuilt() {
    let mut random = Random::new(2);
    for (k, m) in [(1, 1), (3, 2), (4, 4)] {
        let code = Code::new(k, m, Matrix::IsalCauchy).unwrap();
        let shards = stripe(&code, &mut random, 77);
        for pattern in 0u32..1 << (k + m) {
            let lost = |i: usize| pattern >> i & 1 != 0;
            let mut left: Vec<Option<Vec<u8>>> = shards
                .iter()
                .enumerate()
                .map(|(i, shard)| if lost(i) { None } else { Some(shard.clone()) })
                .collect();
            let before = left.clone();
            match code.repair(&mut left) {
                Ok(()) => assert_eq!(left.into_iter().flatten().collect::<Vec<_>>(), shards),
                Err(why) => {
                    assert!(pattern.count_ones() as usize > m);
                    assert_eq!((why, left), (Error::TooFewShards, before));
                }
            }
        }
    }
}

#[test]
fn only_wanted_shards_are_rebuilt() {
    let mut random = Random::new(3);
    for (k, m) in [(6, 3), (100, 20)] {
        let code = Code::new(k, m, Matrix::Klauspost).unwrap();
        let shards = stripe(&code, &mut random, 300);
        let mut have: Vec<Option<&[u8]>> = shards.iter().map(|shard| Some(&shard[..])).collect();
        (have[0], have[2], have[k + 1]) = (None, None, None);
        let mut buffers = vec![vec![0; 300]; 2];
        let mut want: Vec<(usize, &mut Vec<u8>)> =
            [k + 1, 2].into_iter().zip(buffers.iter_mut()).collect();
        code.reconstruct(&have, &mut want).unwrap();
        assert_eq!(buffers, [shards[k + 1].clone(), shards[2].clone()]);
    }
}

#[test]
fn updates_follow_the_data() {
    let mut random = Random::new(4);
    let code = Code::new(5, 3, Matrix::IsalCauchy).unwrap();
    let mut shards = stripe(&code, &mut random, 200);
    for index in [0, 4, 2] {
        let new = random.bytes(200);
        let (data, parity) = shards.split_at_mut(5);
        code.update(index, Some(&data[index]), &new, parity).unwrap();
        data[index] = new;
        assert!(code.verify(&shards).unwrap());
    }
    // One parity shard stays as it is.
    let new = random.bytes(200);
    let before = shards.clone();
    {
        let (data, parity) = shards.split_at_mut(5);
        let mut some: Vec<Option<&mut Vec<u8>>> = parity.iter_mut().map(Some).collect();
        some[1] = None;
        code.update_some(3, Some(&data[3]), &new, &mut some).unwrap();
        data[3] = new;
    }
    assert_eq!(shards[6], before[6]);
    let (data, parity) = shards.split_at(5);
    let all: Vec<Option<&Vec<u8>>> = parity.iter().map(Some).collect();
    let found = code.differences(data, &all).unwrap();
    assert_eq!((found[0], found[2]), (None, None));
    assert!(found[1].is_some());
    assert_eq!(code.differences(data, &[all[0], None, all[2]]).unwrap(), [None; 3]);
}

#[test]
fn several_updates_in_one_pass() {
    let mut random = Random::new(5);
    let code = Code::new(6, 4, Matrix::Klauspost).unwrap();
    let mut shards = stripe(&code, &mut random, 150);
    let (one, two) = (random.bytes(150), random.bytes(150));
    let (data, parity) = shards.split_at_mut(6);
    let changes = [
        Change { index: 5, old: Some(&data[5]), new: &one },
        Change { index: 0, old: Some(&data[0]), new: &two },
    ];
    code.update_many(&changes, parity).unwrap();
    let twice = [changes[0], changes[0]];
    assert_eq!(code.update_many(&twice, parity), Err(Error::Twice { shard: 5 }));
    (data[5], data[0]) = (one, two);
    code.update_many(&[], &mut shards[6..]).unwrap();
    assert!(code.verify(&shards).unwrap());
}

#[test]
fn wrong_shards_are_found() {
    let mut random = Random::new(6);
    let code = Code::new(8, 3, Matrix::IsalCauchy).unwrap();
    let good = stripe(&code, &mut random, 500);
    assert_eq!(code.locate(&good), Ok(Located::Agree));
    for wrong in 0..11 {
        let mut shards = good.clone();
        let at = random.below(500);
        shards[wrong][at] ^= 0x40;
        assert_eq!(code.verify(&shards), Ok(false));
        assert_eq!(code.locate(&shards), Ok(Located::Shard(wrong)));
        let parity: Vec<_> = shards[8..].iter().map(Some).collect();
        let found = code.differences(&shards[..8], &parity).unwrap();
        assert!(found.iter().flatten().all(|&offset| offset == at));
    }
    let mut shards = good;
    shards[1][0] ^= 1;
    shards[2][9] ^= 1;
    assert_eq!(code.locate(&shards), Ok(Located::Ambiguous));
    let one = Code::new(8, 1, Matrix::IsalCauchy).unwrap();
    assert!(matches!(one.locate(&shards[..9]), Err(Error::Invalid(_))));
}

#[test]
fn plans_read_what_they_say() {
    let mut random = Random::new(7);
    let code = Code::new(10, 4, Matrix::IsalCauchy).unwrap();
    let shards = stripe(&code, &mut random, 256);
    let lost = [1, 7, 12];
    let have: Vec<bool> = (0..14).map(|i| !lost.contains(&i)).collect();
    let want: Vec<bool> = have.iter().map(|have| !have).collect();
    let plan = Plan::new(&code, &have, &want).unwrap();
    drop(code);
    assert_eq!(plan.writes(), [1, 7, 12]);
    assert_eq!(plan.reads().len(), 10);
    let read: Vec<&[u8]> = plan.reads().iter().map(|&i| &shards[i as usize][..]).collect();
    let mut write = vec![vec![0; 256]; 3];
    plan.apply(&read, &mut write).unwrap();
    assert_eq!(write, [&shards[1][..], &shards[7], &shards[12]]);
    let few = plan.apply(&read[1..], &mut write);
    assert_eq!(few, Err(Error::Count { what: "shards to read", expected: 10, found: 9 }));
}

/// A local group is rebuilt from itself.
#[test]
fn a_plan_stays_in_its_group() {
    let rows = [1, 1, 0, 0, 0, 0, 1, 1, 1, 2, 4, 8];
    let code = Code::custom(4, 3, &rows, Mds::Assume).unwrap();
    let mut want = [false; 7];
    want[0] = true;
    let plan = Plan::new(&code, &[false, true, true, true, true, true, true], &want).unwrap();
    assert_eq!(plan.reads(), [1, 4]);
    assert!(matches!(Code::custom(4, 3, &rows, Mds::Prove), Err(Error::NotMds(_))));
    let have = [false, false, true, true, false, true, true];
    assert_eq!(Plan::new(&code, &have, &want).unwrap_err(), Error::Singular);
}

#[test]
fn packets_are_xored() {
    let mut random = Random::new(8);
    let (k, m, w, size) = (4, 2, 8, 32);
    let code = Code::bits(k, m, BitMatrix::CauchyGood, w, size, Mds::Prove).unwrap();
    assert_eq!((code.unit(), code.packetsize(), code.w()), (256, Some(32), 8));
    let rows = code.bit_rows().unwrap();
    let len = 3 * code.unit();
    let shards = stripe(&code, &mut random, len);
    for (r, shard) in shards[k..].iter().enumerate() {
        for (i, &byte) in shard.iter().enumerate() {
            let (unit, packet, at) = (i / 256 * 256, i % 256 / size, i % size);
            let row = &rows[(r * w + packet) * k * w..][..k * w];
            let sum = (0..k * w)
                .filter(|&column| row[column] == 1)
                .fold(0, |sum, column| sum ^ shards[column / w][unit + column % w * size + at]);
            assert_eq!(byte, sum);
        }
    }
    let again = Code::bits_custom(k, m, w, size, &rows, Mds::Prove).unwrap();
    assert!(again.verify(&shards).unwrap());
    let mut odd = vec![vec![0; 100]; m];
    assert_eq!(code.encode(&[&[0u8; 100][..]; 4], &mut odd), Err(Error::Unit { unit: 256 }));
}

#[test]
fn words_are_multiplied_in_their_field() {
    let mut random = Random::new(9);
    for (w, polynomial, k) in [(16, 0x1_100b, 70), (32, 0x1_0040_0007, 9)] {
        let code = Code::words(k, 2, WordMatrix::JerasureRaid6, w).unwrap();
        let bytes = w / 8;
        let shards = stripe(&code, &mut random, 20 * bytes);
        let word = |shard: &[u8], i: usize| {
            let mut room = [0; 8];
            room[..bytes].copy_from_slice(&shard[i * bytes..][..bytes]);
            if cfg!(target_endian = "big") {
                room[..bytes].reverse();
            }
            u64::from_le_bytes(room)
        };
        for i in 0..20 {
            let (mut p, mut q, mut power) = (0, 0, 1);
            for shard in &shards[..k] {
                p ^= word(shard, i);
                q ^= reference::product(word(shard, i), power, polynomial, w as u32);
                power = reference::product(power, 2, polynomial, w as u32);
            }
            assert_eq!((word(&shards[k], i), word(&shards[k + 1], i)), (p, q));
        }
        assert_eq!(code.coefficients(), None);
    }
    let big = Code::words(1000, 24, WordMatrix::JerasureVandermonde, 16).unwrap();
    assert_eq!(big.shards(), permxor::MAX_WORD_SHARDS);
}
