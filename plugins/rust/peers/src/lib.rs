// SPDX-License-Identifier: BSD-3-Clause

//! permxor and the crates that it is compared with, behind one interface.

use permxor::{Code, Matrix};

/// Something that encodes stripes of one shape.
pub trait Coder {
    /// Computes the parity.  All shards have the same length, an even one.
    fn encode(&mut self, data: &[&[u8]], parity: &mut [&mut [u8]]);
}

/// Which bytes a coder gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bytes {
    /// klauspost/reedsolomon's and reed-solomon-erasure's.
    Klauspost,
    /// ISA-L's with the Cauchy matrix.
    IsalCauchy,
    /// Leopard's.
    Leopard,
}

/// A name, the bytes, and how to make a coder of k + m shards.
pub type Entry = (&'static str, Bytes, fn(usize, usize) -> Box<dyn Coder>);

/// One of the two crates with the same C functions is among them.
pub const CODERS: [Entry; 5] = [
    ("permxor", Bytes::Klauspost, |k, m| {
        Box::new(Code::new(k, m, Matrix::Klauspost).expect("a shape of the table"))
    }),
    ("permxor-cauchy", Bytes::IsalCauchy, |k, m| {
        Box::new(Code::new(k, m, Matrix::IsalCauchy).expect("a shape of the table"))
    }),
    #[cfg(not(feature = "rustfs"))]
    ("reed-solomon-erasure", Bytes::Klauspost, |k, m| {
        Box::new(reed_solomon_erasure::galois_8::ReedSolomon::new(k, m).expect("such a shape"))
    }),
    #[cfg(feature = "rustfs")]
    ("rustfs-erasure-codec", Bytes::Klauspost, |k, m| {
        Box::new(rustfs_erasure_codec::galois_8::ReedSolomon::new(k, m).expect("such a shape"))
    }),
    ("rusty_erasure", Bytes::IsalCauchy, |k, m| {
        let matrix = rusty_erasure::Matrix::cauchy(k, m).expect("such a shape");
        Box::new(rusty_erasure::coder(matrix).expect("a matrix of its own"))
    }),
    ("reed-solomon-simd", Bytes::Leopard, |k, m| Box::new(Leopard { k, m, made: None })),
];

impl Coder for Code {
    fn encode(&mut self, data: &[&[u8]], parity: &mut [&mut [u8]]) {
        Code::encode(self, data, parity).expect("shards of one length");
    }
}

impl Coder for reed_solomon_erasure::galois_8::ReedSolomon {
    fn encode(&mut self, data: &[&[u8]], parity: &mut [&mut [u8]]) {
        self.encode_sep(data, parity).expect("shards of one length");
    }
}

#[cfg(feature = "rustfs")]
impl Coder for rustfs_erasure_codec::galois_8::ReedSolomon {
    fn encode(&mut self, data: &[&[u8]], parity: &mut [&mut [u8]]) {
        self.encode_sep(data, parity).expect("shards of one length");
    }
}

impl Coder for rusty_erasure::Coder {
    fn encode(&mut self, data: &[&[u8]], parity: &mut [&mut [u8]]) {
        rusty_erasure::Coder::encode(self, data, parity).expect("shards of one length");
    }
}

/// reed-solomon-simd has memory of its own for one length of shards.  It copies the data there,
/// and the parity remains there: copying it out is left out here.
struct Leopard {
    k: usize,
    m: usize,
    made: Option<(usize, reed_solomon_simd::ReedSolomonEncoder)>,
}

impl Coder for Leopard {
    fn encode(&mut self, data: &[&[u8]], _: &mut [&mut [u8]]) {
        let len = data[0].len();
        if self.made.as_ref().is_none_or(|(made_for, _)| *made_for != len) {
            let encoder = reed_solomon_simd::ReedSolomonEncoder::new(self.k, self.m, len);
            self.made = Some((len, encoder.expect("such a shape")));
        }
        let (_, encoder) = self.made.as_mut().expect("made above");
        for shard in data {
            encoder.add_original_shard(shard).expect("k shards of this length");
        }
        std::hint::black_box(encoder.encode().expect("all data shards are there"));
    }
}

/// Bytes that look random.
pub fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 56) as u8
    };
    (0..len).map(|_| next()).collect()
}
