// SPDX-License-Identifier: BSD-3-Clause

//! The speed of encoding, in bytes of data a second.

use criterion::{criterion_group, criterion_main, BenchmarkId, Criterion, Throughput};
use peers::{bytes, CODERS};

const SHAPES: [(usize, usize); 3] = [(4, 2), (10, 4), (32, 32)];
const LENGTHS: [usize; 6] = [1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];

/// The offset of the first byte that is aligned to 64 bytes.
fn aligned(room: &[u8]) -> usize {
    room.as_ptr().align_offset(64)
}

fn encode(criterion: &mut Criterion) {
    for (k, m) in SHAPES {
        let mut group = criterion.benchmark_group(format!("{k}+{m}"));
        for len in LENGTHS {
            group.throughput(Throughput::Bytes((k * len) as u64));
            // One coder after the other works on the same shards, which are aligned.
            let data = bytes(len as u64, k * len + 64);
            let mut parity = vec![0; m * len + 64];
            let (from, to) = (aligned(&data), aligned(&parity));
            let data: Vec<&[u8]> = data[from..][..k * len].chunks(len).collect();
            let mut parity: Vec<&mut [u8]> = parity[to..][..m * len].chunks_mut(len).collect();
            for (name, _, make) in CODERS {
                let mut coder = make(k, m);
                group.bench_function(BenchmarkId::new(name, len), |bencher| {
                    bencher.iter(|| coder.encode(&data, &mut parity));
                });
            }
        }
    }
}

criterion_group!(benches, encode);
criterion_main!(benches);
