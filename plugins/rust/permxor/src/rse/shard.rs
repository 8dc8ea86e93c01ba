// SPDX-License-Identifier: BSD-3-Clause

use core::iter;

use super::{Error, Field};

/// Something that may hold a shard.
pub trait ReconstructShard<F: Field> {
    /// The length of the shard, or `None` where it is missing.
    fn len(&self) -> Option<usize>;

    /// Whether the shard is missing or has no bytes.
    fn is_empty(&self) -> bool {
        self.len().map_or(true, |len| len == 0)
    }

    /// The shard, or `None` where it is missing.
    fn get(&mut self) -> Option<&mut [F::Elem]>;

    /// Returns the shard.  Where it is missing, it gets room for `len` elements, which is
    /// returned as `Err(Ok(room))`.
    #[allow(clippy::type_complexity)]
    fn get_or_initialize(
        &mut self,
        len: usize,
    ) -> Result<&mut [F::Elem], Result<&mut [F::Elem], Error>>;
}

impl<F, T> ReconstructShard<F> for Option<T>
where
    F: Field,
    T: AsRef<[F::Elem]> + AsMut<[F::Elem]> + iter::FromIterator<F::Elem>,
{
    fn len(&self) -> Option<usize> {
        self.as_ref().map(|shard| shard.as_ref().len())
    }

    fn get(&mut self) -> Option<&mut [F::Elem]> {
        self.as_mut().map(AsMut::as_mut)
    }

    fn get_or_initialize(
        &mut self,
        len: usize,
    ) -> Result<&mut [F::Elem], Result<&mut [F::Elem], Error>> {
        let missing = self.is_none();
        let shard =
            self.get_or_insert_with(|| iter::repeat(F::zero()).take(len).collect()).as_mut();
        if missing {
            Err(Ok(shard))
        } else {
            Ok(shard)
        }
    }
}

/// A shard, and whether it is there.
impl<F, T> ReconstructShard<F> for (T, bool)
where
    F: Field,
    T: AsRef<[F::Elem]> + AsMut<[F::Elem]>,
{
    fn len(&self) -> Option<usize> {
        if self.1 {
            Some(self.0.as_ref().len())
        } else {
            None
        }
    }

    fn get(&mut self) -> Option<&mut [F::Elem]> {
        if self.1 {
            Some(self.0.as_mut())
        } else {
            None
        }
    }

    fn get_or_initialize(
        &mut self,
        len: usize,
    ) -> Result<&mut [F::Elem], Result<&mut [F::Elem], Error>> {
        let there = self.1;
        let shard = self.0.as_mut();
        if shard.len() != len {
            Err(Err(Error::IncorrectShardSize))
        } else if there {
            Ok(shard)
        } else {
            Err(Ok(shard))
        }
    }
}
