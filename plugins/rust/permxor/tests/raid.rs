// SPDX-License-Identifier: BSD-3-Clause

//! RAID parity against the mathematics of reference/.

mod reference;

use permxor::raid::{self, Block, Method};
use permxor::{scan, Error};
use reference::{mul, power, Random};

/// P and Q of the data.
fn parity(data: &[Vec<u8>]) -> (Vec<u8>, Vec<u8>) {
    let len = data[0].len();
    let (mut p, mut q) = (vec![0; len], vec![0; len]);
    for (i, block) in data.iter().enumerate() {
        let coefficient = power(2, i);
        for (at, &byte) in block.iter().enumerate() {
            p[at] ^= byte;
            q[at] ^= mul(coefficient, byte);
        }
    }
    (p, q)
}

#[test]
fn p_and_q() {
    let mut random = Random::new(1);
    for n in [1, 2, 6, 63, 64, 65, 255] {
        let data = random.shards(n, 130);
        let (p, q) = parity(&data);
        let (mut one, mut two) = (vec![0; 130], vec![0; 130]);
        raid::generate(&data, Some(&mut one), Some(&mut two)).unwrap();
        assert_eq!((&one, &two), (&p, &q));
        one.fill(0);
        raid::generate(&data, Some(&mut one), None).unwrap();
        assert_eq!(one, p);
        assert!(raid::check(&data, &p, Some(&q)).unwrap().agrees());
    }
}

#[test]
fn every_two_blocks_are_recovered() {
    let mut random = Random::new(2);
    let n = 5;
    let data = random.shards(n, 99);
    let (p, q) = parity(&data);
    for a in 0..n + 2 {
        for b in 0..n + 2 {
            let (mut blocks, mut p_now, mut q_now) = (data.clone(), p.clone(), q.clone());
            let lost = if a == b { vec![a] } else { vec![a, b] };
            for &i in &lost {
                let block = match i {
                    5 => &mut p_now,
                    6 => &mut q_now,
                    i => &mut blocks[i],
                };
                block.fill(0xee);
            }
            raid::recover(&mut blocks, Some(&mut p_now), Some(&mut q_now), &lost).unwrap();
            assert_eq!((&blocks, &p_now, &q_now), (&data, &p, &q));
        }
    }
}

#[test]
fn raid_5() {
    let mut random = Random::new(3);
    let data = random.shards(4, 64);
    let (mut p, _) = parity(&data);
    let mut blocks = data.clone();
    blocks[2].fill(0);
    raid::recover(&mut blocks, Some(&mut p), None, &[2]).unwrap();
    assert_eq!(blocks, data);
    assert_eq!(raid::recover(&mut blocks, Some(&mut p), None, &[2, 3]), Err(Error::TooFewShards));
    blocks[1][9] ^= 1;
    let report = raid::check(&blocks, &p, None).unwrap();
    assert_eq!((report.first_p, report.first_q, report.suspect), (Some(9), None, None));
}

#[test]
fn the_wrong_block_is_suspected() {
    let mut random = Random::new(4);
    let data = random.shards(6, 80);
    let (p, q) = parity(&data);
    for wrong in 0..8 {
        let (mut blocks, mut p, mut q) = (data.clone(), p.clone(), q.clone());
        match wrong {
            6 => p[33] ^= 5,
            7 => q[33] ^= 5,
            i => blocks[i][33] ^= 5,
        }
        let report = raid::check(&blocks, &p, Some(&q)).unwrap();
        assert_eq!(report.suspect, Some(wrong));
        assert!(!report.agrees());
    }
}

#[test]
fn changes_of_parts() {
    let mut random = Random::new(5);
    let mut data = random.shards(8, 50);
    let (mut p, mut q) = parity(&data);
    let new = random.bytes(50);
    raid::update(6, Some(&data[6]), &new, Some(&mut p), Some(&mut q)).unwrap();
    data[6] = new;
    assert_eq!((&p, &q), (&parity(&data).0, &parity(&data).1));
    let (one, two) = (random.bytes(50), random.bytes(50));
    raid::accumulate(2, &[Some(&one), None, Some(&two)], Some(&mut p), Some(&mut q)).unwrap();
    for at in 0..50 {
        data[2][at] ^= one[at];
        data[4][at] ^= two[at];
    }
    assert_eq!((p, q), parity(&data));
}

#[test]
fn plans_of_writes() {
    let changed = Block { changed: true, ..Block::default() };
    let mut data = [changed; 6];
    data[5] = Block { cached: true, ..Block::default() };
    let plan = raid::write_plan(&data, Block::default(), Block::default()).unwrap();
    assert_eq!(plan.method, Method::ReconstructWrite);
    assert_eq!(plan.reconstruct_write, Some(0));
    assert_eq!(plan.read_modify_write, Some(7));
    data[5] = Block { failed: true, ..Block::default() };
    let plan = raid::write_plan(&data, Block::default(), Block::default()).unwrap();
    assert_eq!((plan.method, plan.reconstruct_write), (Method::ReadModifyWrite, None));
}

#[test]
fn wrong_arguments() {
    let mut p = [0; 4];
    assert!(raid::generate::<[u8; 4]>(&[], Some(&mut p), None).is_err());
    assert!(raid::generate(&[[0; 4]; 256], Some(&mut p), None).is_err());
    assert!(raid::generate(&[[0; 4]; 2], None, None).is_err());
    assert!(raid::generate(&[[0; 5]; 2], Some(&mut p), None).is_err());
    assert_eq!(
        raid::update(255, None, &[1; 4], Some(&mut p), None),
        Err(Error::Index { index: 255, limit: 255 })
    );
    assert!(raid::accumulate(250, &[Some([1; 4]); 6], Some(&mut p), None).is_err());
    let mut data = [[1; 4]; 3];
    for lost in [&[0, 0][..], &[5], &[4]] {
        assert!(raid::recover(&mut data, Some(&mut p), None, lost).is_err());
    }
    assert_eq!((p, data), ([0; 4], [[1; 4]; 3]));
}

#[test]
fn scans() {
    let mut random = Random::new(6);
    for len in [0, 1, 63, 64, 65, 1000] {
        let a = random.bytes(len);
        assert_eq!(scan::compare(&a, &a.clone()), None);
        assert_eq!(scan::find_nonzero(&vec![0; len]), None);
        for at in [0, len / 2, len.saturating_sub(1)].into_iter().filter(|&at| at < len) {
            let (mut b, mut zeros) = (a.clone(), vec![0; len]);
            b[at] ^= 0x80;
            zeros[at] = 1;
            assert_eq!(scan::compare(&a, &b), Some(at));
            assert_eq!(scan::find_nonzero(&zeros), Some(at));
        }
        let (mut low, mut high) = (1u32, 0u32);
        for &byte in &a {
            low = (low + u32::from(byte)) % 65521;
            high = (high + low) % 65521;
        }
        assert_eq!(scan::adler32(1, &a), high << 16 | low);
    }
}
