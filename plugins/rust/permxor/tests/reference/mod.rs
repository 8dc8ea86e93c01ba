// SPDX-License-Identifier: BSD-3-Clause

//! The mathematics, bit by bit, with which the tests compare.  Not every test uses all of it.
#![allow(dead_code)]

/// The product of two elements of GF(2)[x] modulo a polynomial of degree `bits`.
pub fn product(mut a: u64, mut b: u64, polynomial: u64, bits: u32) -> u64 {
    let mut sum = 0;
    while b != 0 {
        if b & 1 != 0 {
            sum ^= a;
        }
        a <<= 1;
        if a >> bits & 1 != 0 {
            a ^= polynomial;
        }
        b >>= 1;
    }
    sum
}

/// The product in GF(2^8) with the polynomial 0x11d.
pub fn mul(a: u8, b: u8) -> u8 {
    product(a.into(), b.into(), 0x11d, 8) as u8
}

pub fn power(a: u8, n: usize) -> u8 {
    (0..n).fold(1, |product, _| mul(product, a))
}

/// The inverse is the power 254, since the 255th power of each element but 0 is 1.
pub fn inverse(a: u8) -> u8 {
    assert_ne!(a, 0);
    power(a, 254)
}

pub type Rows = Vec<Vec<u8>>;

pub fn isal_vandermonde(k: usize, m: usize) -> Rows {
    (0..m).map(|r| (0..k).map(|j| power(2, r * j)).collect()).collect()
}

pub fn isal_cauchy(k: usize, m: usize) -> Rows {
    (0..m).map(|r| (0..k).map(|j| inverse(((k + r) ^ j) as u8)).collect()).collect()
}

/// The rows below the top k of V * T^-1, where V has the rows i^0, i^1, ... for i below k + m and
/// T is the top square of V.
pub fn klauspost(k: usize, m: usize) -> Rows {
    let vandermonde: Rows =
        (0..k + m).map(|i| (0..k).map(|j| power(i as u8, j)).collect()).collect();
    let top = inverted(&vandermonde[..k]);
    vandermonde[k..]
        .iter()
        .map(|row| (0..k).map(|j| (0..k).fold(0, |sum, i| sum ^ mul(row[i], top[i][j]))).collect())
        .collect()
}

/// The inverse of a square matrix, by Gauss and Jordan.
pub fn inverted(square: &[Vec<u8>]) -> Rows {
    let n = square.len();
    let mut left: Rows = square.to_vec();
    let mut right: Rows = (0..n).map(|i| (0..n).map(|j| u8::from(i == j)).collect()).collect();
    for column in 0..n {
        let pivot = (column..n).find(|&row| left[row][column] != 0).expect("a regular matrix");
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = inverse(left[column][column]);
        for matrix in [&mut left, &mut right] {
            matrix[column].iter_mut().for_each(|entry| *entry = mul(*entry, scale));
        }
        for row in (0..n).filter(|&row| row != column) {
            let factor = left[row][column];
            for matrix in [&mut left, &mut right] {
                let pivot_row = matrix[column].clone();
                for (entry, &pivot) in matrix[row].iter_mut().zip(&pivot_row) {
                    *entry ^= mul(factor, pivot);
                }
            }
        }
    }
    right
}

/// The parity of these data shards.
pub fn encode(rows: &[Vec<u8>], data: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let sum = |row: &Vec<u8>, i: usize| {
        row.iter().zip(data).fold(0, |sum, (&c, shard)| sum ^ mul(c, shard[i]))
    };
    rows.iter().map(|row| (0..data[0].len()).map(|i| sum(row, i)).collect()).collect()
}

/// Numbers that look random: xorshift64*.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n
    }

    pub fn bytes(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| (self.next() >> 56) as u8).collect()
    }

    pub fn shards(&mut self, count: usize, len: usize) -> Vec<Vec<u8>> {
        (0..count).map(|_| self.bytes(len)).collect()
    }
}
