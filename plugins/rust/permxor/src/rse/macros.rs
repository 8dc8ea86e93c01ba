// SPDX-License-Identifier: BSD-3-Clause

/// Makes a vector of shards, each of which is a vector.
///
/// ```
/// let shards: Vec<Vec<u8>> = permxor::shards!([1, 2], [3, 4]);
/// assert_eq!(shards[1], [3, 4]);
/// ```
#[macro_export]
macro_rules! shards {
    ($([$($element:expr),*]),*) => {
        ::std::vec![$(::std::vec![$($element),*]),*]
    };
}

/// Makes a collection of references to shards.  The forms are those of reed-solomon-erasure.
///
/// ```
/// let mut array = [[1u8, 2], [3, 4]];
/// let shared: Vec<&[u8]> = permxor::convert_2D_slices!(array =>to_vec &[u8]);
/// let mutable: Vec<&mut [u8]> = permxor::convert_2D_slices!(array =>to_mut_vec &mut [u8]);
/// ```
#[macro_export]
#[allow(non_snake_case)]
macro_rules! convert_2D_slices {
    ($from:expr =>into_vec $shard:ty) => {
        $crate::convert_2D_slices!($from =>into ::std::vec::Vec<$shard>, ::std::vec::Vec::with_capacity)
    };
    ($from:expr =>to_vec $shard:ty) => {
        $crate::convert_2D_slices!($from =>to ::std::vec::Vec<$shard>, ::std::vec::Vec::with_capacity)
    };
    ($from:expr =>to_mut_vec $shard:ty) => {
        $crate::convert_2D_slices!($from =>to_mut ::std::vec::Vec<$shard>, ::std::vec::Vec::with_capacity)
    };
    ($from:expr =>into $to:ty, $with_capacity:path) => {
        $crate::convert_2D_slices!(@collect $from.into_iter(), $from.len(), $to, $with_capacity)
    };
    ($from:expr =>to $to:ty, $with_capacity:path) => {
        $crate::convert_2D_slices!(@collect $from.iter(), $from.len(), $to, $with_capacity)
    };
    ($from:expr =>to_mut $to:ty, $with_capacity:path) => {
        $crate::convert_2D_slices!(@collect $from.iter_mut(), $from.len(), $to, $with_capacity)
    };
    (@collect $shards:expr, $len:expr, $to:ty, $with_capacity:path) => {{
        let mut collected: $to = $with_capacity($len);
        for shard in $shards {
            collected.push(shard);
        }
        collected
    }};
}
