// SPDX-License-Identifier: BSD-3-Clause

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ptr::{self, NonNull};

use permxor_sys as sys;

use crate::check::agreement;
use crate::code::number;
use crate::error::{coded, count, created};
use crate::shards::{Addresses, Stripe};
use crate::{Code, Error, Located};

/// A kind of linear hash: its size and its key.
///
/// H(a*X + b*Y) = a*H(X) + b*H(Y).  Parity is such a sum, so the hash of a parity shard is the
/// same sum of the hashes of the data shards.  Each machine hashes the shard that it holds, and
/// then the parity is checked, and a wrong shard is found, from the hashes alone.
///
/// ```
/// use permxor::{Code, Hash, Located, Matrix};
///
/// let code = Code::new(2, 2, Matrix::IsalCauchy)?;
/// let mut shards = [[1u8; 100], [2; 100], [0; 100], [0; 100]];
/// let (data, parity) = shards.split_at_mut(2);
/// code.encode(data, parity)?;
///
/// let hash = Hash::with_key(b"8 random")?; // the same key on all machines
/// let mut sums: Vec<_> = shards.iter().map(|shard| hash.of(shard)).collect();
/// assert!(hash.check(&code, &sums[..2], &[Some(&sums[2]), Some(&sums[3])])?);
/// shards[3][50] ^= 1;
/// sums[3] = hash.of(&shards[3]);
/// assert_eq!(hash.locate(&code, &sums)?, Located::Shard(3));
/// # Ok::<(), permxor::Error>(())
/// ```
///
/// It is no cryptographic hash.  Zeros at the end of a shard do not change it, so compare lengths
/// apart from hashes.
pub struct Hash {
    raw: NonNull<sys::pxr_hash>,
    size: usize,
}

// SAFETY: any thread may call any function of the library at any time, and a kind of hash never
// changes (permxor_hash.h).
unsafe impl Send for Hash {}
// SAFETY: as above.
unsafe impl Sync for Hash {}

impl Drop for Hash {
    fn drop(&mut self) {
        // SAFETY: this is the last call on this hash.
        unsafe { sys::pxr_hash_free(self.raw.as_ptr()) }
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Hash").field("size", &self.size).finish_non_exhaustive()
    }
}

impl Hash {
    fn made_by(
        create: impl FnOnce(*mut *mut sys::pxr_hash, *mut sys::pxr_error) -> sys::c_int,
    ) -> Result<Hash, Error> {
        let raw = created(create)?;
        // SAFETY: the hash is new.
        let size = unsafe { sys::pxr_hash_size(raw.as_ptr()) as usize };
        Ok(Hash { raw, size })
    }

    /// A hash of 4, 8 or 16 bytes without a key.
    pub fn new(size: usize) -> Result<Hash, Error> {
        // SAFETY: NULL stands for no key.
        Hash::made_by(|hash, why| unsafe {
            sys::pxr_hash_create(hash, number(size), ptr::null(), why)
        })
    }

    /// A hash that is as long as its key, 4, 8 or 16 bytes.  Take random bytes, and the same
    /// ones on all machines.  One of 2^(4 * size) keys is in a smaller field and gives
    /// [`Error::Invalid`]; then take another one.
    pub fn with_key(key: &[u8]) -> Result<Hash, Error> {
        // SAFETY: the key has as many bytes as the hash.
        Hash::made_by(|hash, why| unsafe {
            sys::pxr_hash_create(hash, number(key.len()), key.as_ptr(), why)
        })
    }

    /// The sketch of 4 bytes of Ceph's pull request 71721.  It finds less than other hashes of
    /// 4 bytes, and has no [`Hash::combine`].
    pub fn ceph_71721() -> Result<Hash, Error> {
        // SAFETY: both addresses are those of variables.
        Hash::made_by(|hash, why| unsafe { sys::pxr_hash_create_ceph_71721(hash, why) })
    }

    /// The size of a hash in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Returns the hash of a whole shard of a code of bytes.
    pub fn of(&self, shard: &[u8]) -> Vec<u8> {
        let mut sum = vec![0; self.size];
        // SAFETY: the sum has room for a hash.  The call fails for NULL alone.
        let status = unsafe {
            sys::pxr_hash_add(self.raw.as_ptr(), 0, shard.len(), shard.as_ptr(), sum.as_mut_ptr())
        };
        debug_assert_eq!(status, sys::PXR_OK);
        sum
    }

    /// Adds a piece, which begins at `offset` of its shard, to the hash of the shard.  A hash
    /// begins as zeros, and the pieces may come in any order.
    ///
    /// Where a part of a shard changes, call it for the old bytes and for the new bytes.
    ///
    /// ```
    /// # use permxor::Hash;
    /// let hash = Hash::new(8)?;
    /// let mut sum = [0; 8];
    /// hash.add(5, b"world", &mut sum)?;
    /// hash.add(0, b"hello", &mut sum)?;
    /// assert_eq!(sum[..], hash.of(b"helloworld"));
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn add(&self, offset: u64, piece: &[u8], sum: &mut [u8]) -> Result<(), Error> {
        count("bytes of a hash", self.size, sum.len())?;
        // SAFETY: the sum has room for a hash, and is borrowed mutably.
        let status = unsafe {
            sys::pxr_hash_add(
                self.raw.as_ptr(),
                offset,
                piece.len(),
                piece.as_ptr(),
                sum.as_mut_ptr(),
            )
        };
        coded(status, 1)
    }

    /// Adds the hash of a part that was hashed as if it began at offset 0.
    pub fn combine(&self, offset: u64, part: &[u8], sum: &mut [u8]) -> Result<(), Error> {
        count("bytes of a hash", self.size, part.len())?;
        count("bytes of a hash", self.size, sum.len())?;
        // SAFETY: both have the bytes of a hash.
        let status = unsafe {
            sys::pxr_hash_combine(self.raw.as_ptr(), offset, part.as_ptr(), sum.as_mut_ptr())
        };
        match status {
            sys::PXR_OK => Ok(()),
            _ => Err(Error::Invalid("hashes of ceph_71721 cannot be combined".into())),
        }
    }

    /// The bytes of the hash of a shard of this code: w times [`Hash::size`] for a code of
    /// packets.  Codes of words have no such hashes, and give [`Error::Invalid`].
    pub fn shard_size(&self, code: &Code) -> Result<usize, Error> {
        // SAFETY: both are there.
        match unsafe { sys::pxr_hash_bytes(self.raw.as_ptr(), code.raw()) } {
            0 => Err(Error::Invalid("a code of words has no linear hashes".into())),
            bytes => Ok(bytes),
        }
    }

    /// Does the same as [`Hash::add`] for a shard of this code.  The offset and the length are in
    /// whole units, and the sum has [`Hash::shard_size`] bytes.
    pub fn add_shard(
        &self,
        code: &Code,
        offset: u64,
        piece: &[u8],
        sum: &mut [u8],
    ) -> Result<(), Error> {
        count("bytes of a hash", self.shard_size(code)?, sum.len())?;
        // SAFETY: the sum has room for the hash of a shard.
        let status = unsafe {
            sys::pxr_hash_shard(
                self.raw.as_ptr(),
                code.raw(),
                offset,
                piece.len(),
                piece.as_ptr(),
                sum.as_mut_ptr(),
            )
        };
        coded(status, code.unit())
    }

    /// Computes the hashes of the parity shards from those of the data shards.
    pub fn encode<D, P>(&self, code: &Code, data: &[D], parity: &mut [P]) -> Result<(), Error>
    where
        D: AsRef<[u8]>,
        P: AsMut<[u8]>,
    {
        count("hashes of data shards", code.k(), data.len())?;
        count("hashes of parity shards", code.m(), parity.len())?;
        let mut stripe = Stripe::of_length(self.shard_size(code)?);
        let mut from = Addresses::default();
        stripe.inputs(0, data, &mut from)?;
        let mut to = Addresses::default();
        stripe.outputs(code.k(), parity, &mut to)?;
        // SAFETY: there are k hashes to read and m to write.
        let status = unsafe {
            sys::pxr_hash_encode(self.raw.as_ptr(), code.raw(), from.inputs(), to.outputs())
        };
        coded(status, code.unit())
    }

    /// Tells whether the hashes of the parity shards that are there belong to those of the data
    /// shards.
    ///
    /// ```
    /// # use permxor::{Code, Hash, Matrix};
    /// # let code = Code::new(2, 2, Matrix::IsalCauchy)?;
    /// # let hash = Hash::new(8)?;
    /// let data = [hash.of(b"one shard"), hash.of(b"the other")];
    /// let mut parity = [vec![0; 8], vec![0; 8]];
    /// hash.encode(&code, &data, &mut parity)?;
    /// assert!(hash.check(&code, &data, &[None, Some(&parity[1])])?);
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn check<D, P>(&self, code: &Code, data: &[D], parity: &[Option<P>]) -> Result<bool, Error>
    where
        D: AsRef<[u8]>,
        P: AsRef<[u8]>,
    {
        count("hashes of data shards", code.k(), data.len())?;
        count("hashes of parity shards", code.m(), parity.len())?;
        let sum = |i: usize| match i.checked_sub(code.k()) {
            None => Some(data[i].as_ref()),
            Some(row) => parity[row].as_ref().map(AsRef::as_ref),
        };
        let sums: Vec<Option<&[u8]>> = (0..code.shards()).map(sum).collect();
        let mut stripe = Stripe::of_length(self.shard_size(code)?);
        let mut all = Addresses::default();
        stripe.some_inputs(0, &sums, &mut all)?;
        // SAFETY: there are k + m entries, and those of all data shards are there.
        let status = unsafe { sys::pxr_hash_check(self.raw.as_ptr(), code.raw(), all.inputs()) };
        agreement(status, code.unit())
    }

    /// Finds the one shard that is wrong, from the hashes of all k + m shards.
    pub fn locate<S: AsRef<[u8]>>(&self, code: &Code, sums: &[S]) -> Result<Located, Error> {
        code.can_locate()?;
        count("hashes", code.shards(), sums.len())?;
        let mut stripe = Stripe::of_length(self.shard_size(code)?);
        let mut all = Addresses::default();
        stripe.inputs(0, sums, &mut all)?;
        let mut index = 0;
        // SAFETY: there are k + m hashes.
        let status = unsafe {
            sys::pxr_hash_locate(self.raw.as_ptr(), code.raw(), all.inputs(), &mut index)
        };
        Located::of_status(status, index, code.unit())
    }
}
