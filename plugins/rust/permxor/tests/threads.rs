// SPDX-License-Identifier: BSD-3-Clause

//! Threads share codes, plans and hashes.

mod reference;

use permxor::{kernels, Code, Hash, Matrix, Plan};
use reference::Random;

#[test]
fn objects_are_shared() {
    fn shared<T: Send + Sync>() {}
    shared::<Code>();
    shared::<Plan>();
    shared::<Hash>();
    shared::<permxor::rse::galois_8::ReedSolomon>();
}

/// All threads rebuild with one code, which keeps what it works out for each pattern.
#[test]
fn threads_rebuild_with_one_code() {
    let code = Code::new(6, 3, Matrix::IsalCauchy).unwrap();
    std::thread::scope(|scope| {
        for seed in 0..4 {
            let code = &code;
            scope.spawn(move || {
                let mut random = Random::new(seed);
                for _ in 0..500 {
                    let mut shards = random.shards(9, 100);
                    let (data, parity) = shards.split_at_mut(6);
                    code.encode(data, parity).unwrap();
                    let mut left: Vec<_> = shards.iter().cloned().map(Some).collect();
                    for _ in 0..3 {
                        left[random.below(9)] = None;
                    }
                    code.repair(&mut left).unwrap();
                    assert_eq!(left.into_iter().flatten().collect::<Vec<_>>(), shards);
                }
            });
        }
    });
}

/// Each set that this CPU can run gives the same bytes.  A selection holds for the whole process, so
/// the other tests of this program may use any of the sets meanwhile.
#[test]
fn all_kernel_sets_agree() {
    let mut random = Random::new(9);
    let code = Code::new(7, 4, Matrix::Klauspost).unwrap();
    let data = random.shards(7, 3333);
    let right = reference::encode(&reference::klauspost(7, 4), &data);
    let sets = kernels::list();
    let first = *sets.iter().find(|set| set.selected).unwrap();
    for set in &sets {
        let selected = kernels::select(set.name);
        assert_eq!(selected.is_ok(), set.usable, "{}", set.name);
        let mut parity = vec![vec![0; 3333]; 4];
        code.encode(&data, &mut parity).unwrap();
        assert_eq!(parity, right, "{}", set.name);
    }
    assert_eq!(kernels::reason(), "pxr_kernel_select() selected it");
    kernels::select(first.name).unwrap();
}
