// SPDX-License-Identifier: BSD-3-Clause

//! Wrong arguments are errors that say what is wrong, and write nothing.

use permxor::{Change, Code, Error, Hash, Matrix, Mds, Plan, WordMatrix};

fn code() -> Code {
    Code::new(3, 2, Matrix::IsalCauchy).unwrap()
}

#[test]
fn shapes_that_do_not_exist() {
    for (k, m) in [(0, 1), (1, 0), (200, 57), (usize::MAX, 1), (1 << 32, 1), (1, usize::MAX)] {
        let why = Code::new(k, m, Matrix::IsalCauchy).unwrap_err();
        assert!(matches!(why, Error::Invalid(_)), "{k}+{m}: {why:?}");
        assert!(!why.to_string().is_empty());
    }
    assert!(matches!(Code::words(3, 2, WordMatrix::JerasureRaid6, 7), Err(Error::Invalid(_))));
    assert!(matches!(Code::new(3, 3, Matrix::JerasureRaid6), Err(Error::Invalid(_))));
    let found = Code::custom(3, 2, &[1; 5], Mds::Prove).unwrap_err();
    assert_eq!(found, Error::Count { what: "coefficients", expected: 6, found: 5 });
    assert!(matches!(
        Code::custom(128, 128, &[1; 16384], Mds::Prove),
        Err(Error::Unproven(_)) | Err(Error::NotMds(_))
    ));
    assert!(Code::bits_custom(usize::MAX, 2, 8, 8, &[], Mds::Prove).is_err());
}

#[test]
fn numbers_of_shards() {
    let code = code();
    let mut parity = [[7u8; 4]; 2];
    let wrong = |what, expected, found| Err(Error::Count { what, expected, found });
    assert_eq!(code.encode(&[[0; 4]; 2], &mut parity), wrong("data shards", 3, 2));
    assert_eq!(code.encode(&[[0; 4]; 3], &mut parity[..1]), wrong("parity shards", 2, 1));
    assert_eq!(code.verify(&[[0; 4]; 4]), wrong("shards", 5, 4).map(|()| true));
    assert_eq!(code.update(0, None, &[1; 4], &mut parity[..1]), wrong("parity shards", 2, 1));
    assert_eq!(code.repair(&mut []), wrong("entries for shards", 5, 0));
    assert!(Plan::new(&code, &[true; 5], &[false; 4]).is_err());
    assert_eq!(parity, [[7; 4]; 2]);
}

#[test]
fn lengths_of_shards() {
    let code = code();
    let mut parity = [vec![7u8; 4], vec![7; 4]];
    let data = [vec![0; 4], vec![0; 5], vec![0; 4]];
    let wrong = Error::Length { shard: 1, expected: 4, found: 5 };
    assert_eq!(wrong.to_string(), "shard 1 has 5 bytes, and the first one has 4");
    assert_eq!(code.encode(&data, &mut parity), Err(wrong));
    let short = Err(Error::Length { shard: 3, expected: 5, found: 4 });
    assert_eq!(code.encode(&[[0; 5]; 3], &mut parity), short);
    assert!(code.update(0, Some(&[0; 4]), &[0; 5], &mut parity).is_err());
    let changes = [Change { index: 0, old: None, new: &[1; 3] }];
    assert!(code.update_many(&changes, &mut parity).is_err());
    assert_eq!(parity, [[7; 4], [7; 4]]);
}

#[test]
fn numbers_that_are_out_of_range_or_twice() {
    let code = code();
    let mut parity = [[7u8; 4]; 2];
    let high = |index, limit| Err(Error::Index { index, limit });
    assert_eq!(code.update(3, None, &[1; 4], &mut parity), high(3, 3));
    let have = [None, Some([1u8; 4]), Some([2; 4]), Some([3; 4]), Some([4; 4])];
    let (mut one, mut two) = ([7u8; 4], [7u8; 4]);
    assert_eq!(code.reconstruct(&have, &mut [(5, &mut one)]), high(5, 5));
    let twice = |shard| Err(Error::Twice { shard });
    assert_eq!(code.reconstruct(&have, &mut [(1, &mut one)]), twice(1));
    assert_eq!(code.reconstruct(&have, &mut [(0, &mut one), (0, &mut two)]), twice(0));
    let few = [None, None, None, Some([3u8; 4]), Some([4; 4])];
    assert_eq!(code.reconstruct(&few, &mut [(0, &mut one)]), Err(Error::TooFewShards));
    assert_eq!((one, two, parity), ([7; 4], [7; 4], [[7; 4]; 2]));
}

/// Shards may be of a type that gives another slice each time it is asked.
#[test]
fn shards_that_change_their_length() {
    struct Shrinks(Vec<u8>);
    impl AsMut<[u8]> for Shrinks {
        fn as_mut(&mut self) -> &mut [u8] {
            self.0.pop();
            &mut self.0
        }
    }
    let mut parity = [Shrinks(vec![0; 101]), Shrinks(vec![0; 101])];
    code().encode(&[[1; 100]; 3], &mut parity).unwrap();
    assert_eq!(parity[0].0.len(), 100);
    assert!(code().encode(&[[1; 100]; 3], &mut parity).is_err());
}

#[test]
fn hashes() {
    assert!(matches!(Hash::new(5), Err(Error::Invalid(_))));
    assert!(matches!(Hash::with_key(&[0; 8]), Err(Error::Invalid(_))));
    let hash = Hash::new(8).unwrap();
    let wrong = Err(Error::Count { what: "bytes of a hash", expected: 8, found: 7 });
    assert_eq!(hash.add(0, b"piece", &mut [0; 7]), wrong);
    assert_eq!(hash.combine(0, &[0; 7], &mut [0; 8]), wrong);
    let sketch = Hash::ceph_71721().unwrap();
    assert!(matches!(sketch.combine(0, &[0; 4], &mut [0; 4]), Err(Error::Invalid(_))));
    let words = Code::words(3, 2, WordMatrix::JerasureRaid6, 16).unwrap();
    assert!(matches!(hash.check(&words, &[[0; 8]; 3], &[Some([0; 8]); 2]), Err(Error::Invalid(_))));
    let found = hash.check(&code(), &[[0; 8]; 3], &[None, Some([0; 9])]);
    assert_eq!(found, Err(Error::Length { shard: 4, expected: 8, found: 9 }));
    let found = hash.check(&code(), &[[0; 8]; 3], &[None::<[u8; 8]>]);
    assert_eq!(found, Err(Error::Count { what: "hashes of parity shards", expected: 2, found: 1 }));
}

#[test]
fn errors_are_errors() {
    fn is_error<T: std::error::Error + Send + Sync + 'static>(_: &T) {}
    is_error(&Error::Singular);
    is_error(&permxor::rse::Error::EmptyShard);
    is_error(&permxor::rse::SBSError::TooManyCalls);
}
