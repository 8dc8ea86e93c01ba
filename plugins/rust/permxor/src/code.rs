// SPDX-License-Identifier: BSD-3-Clause

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use core::ptr::NonNull;
use core::slice;

use permxor_sys as sys;

use crate::error::{count, created};
use crate::{text, BitMatrix, Error, Matrix, WordMatrix};

/// Whether a matrix has to be MDS: whether any k shards must be enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mds {
    /// The matrix must be MDS, and the call proves it.
    Prove,
    /// The matrix is taken as it is.  A reconstruction may then return [`Error::Singular`].
    Assume,
}

impl Mds {
    fn flags(self) -> sys::c_uint {
        match self {
            Mds::Prove => 0,
            Mds::Assume => sys::PXR_ASSUME_MDS,
        }
    }
}

/// A code: a matrix, with everything that was computed from it.
///
/// Shards 0 to k-1 hold the data, and shards k to k+m-1 hold the parity.  Parity shard k + r is
/// the sum of coefficient\[r\]\[j\] * shard\[j\] over all j in GF(2^8), with the polynomial 0x11d.
///
/// A code never changes, so threads may share it.  It keeps what it has worked out for a pattern
/// of lost shards, up to 8 MiB, so keep a code as long as its shape is in use.
pub struct Code {
    raw: NonNull<sys::pxr_code>,
    k: usize,
    m: usize,
    unit: usize,
}

// SAFETY: any thread may call any function of the library at any time, and a code never changes
// (permxor.h, Threads).
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: this is the last call on this code.
        unsafe { sys::pxr_code_free(self.raw.as_ptr()) }
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Code")
            .field("matrix", &self.matrix_name())
            .field("k", &self.k)
            .field("m", &self.m)
            .field("unit", &self.unit)
            .finish()
    }
}

/// A number as C takes it.  One that does not fit is too large for every call.
pub(crate) fn number(n: usize) -> sys::c_uint {
    sys::c_uint::try_from(n).unwrap_or(sys::c_uint::MAX)
}

impl Code {
    /// Takes over what `create` makes.
    fn made_by(
        create: impl FnOnce(*mut *mut sys::pxr_code, *mut sys::pxr_error) -> sys::c_int,
    ) -> Result<Code, Error> {
        let raw = created(create)?;
        // SAFETY: the code is new and not NULL.
        unsafe {
            Ok(Code {
                raw,
                k: sys::pxr_code_k(raw.as_ptr()) as usize,
                m: sys::pxr_code_m(raw.as_ptr()) as usize,
                unit: sys::pxr_code_unit(raw.as_ptr()),
            })
        }
    }

    /// Makes a code of bytes with k data and m parity shards, at least one of each and at most
    /// [`MAX_SHARDS`](crate::MAX_SHARDS) together.
    ///
    /// ```
    /// use permxor::{Code, Error, Matrix};
    ///
    /// let code = Code::new(10, 4, Matrix::IsalCauchy)?;
    /// assert_eq!((code.k(), code.m()), (10, 4));
    /// let why = Code::new(10, 5, Matrix::IsalVandermonde).unwrap_err();
    /// assert!(matches!(why, Error::NotMds(_)));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn new(k: usize, m: usize, matrix: Matrix) -> Result<Code, Error> {
        // SAFETY: both addresses are those of variables.
        Code::made_by(|code, why| unsafe {
            sys::pxr_code_create(code, number(k), number(m), matrix.number(), why)
        })
    }

    /// Makes a code of bytes from the m * k coefficients of its parity rows, row by row.
    ///
    /// With [`Mds::Prove`] the call looks at each square submatrix, C(k+m, k) in all, and returns
    /// [`Error::Unproven`] where these are more than some millions.
    ///
    /// ```
    /// use permxor::{Code, Mds};
    ///
    /// let code = Code::custom(4, 2, &[1, 1, 1, 1, 1, 2, 4, 8], Mds::Prove)?;
    /// assert_eq!(code.coefficients().unwrap()[4..], [1, 2, 4, 8]);
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn custom(k: usize, m: usize, rows: &[u8], mds: Mds) -> Result<Code, Error> {
        count("coefficients", k.saturating_mul(m), rows.len())?;
        // SAFETY: there are m * k coefficients.
        Code::made_by(|code, why| unsafe {
            sys::pxr_code_create_custom(code, number(k), number(m), rows.as_ptr(), mds.flags(), why)
        })
    }

    /// Makes a code of packets, which xors and does not multiply.  A unit of each shard is w
    /// packets of `packetsize` bytes, and lengths are in whole units.
    ///
    /// ```
    /// use permxor::{BitMatrix, Code, Mds};
    ///
    /// let code = Code::bits(10, 4, BitMatrix::CauchyGood, 8, 2048, Mds::Prove)?;
    /// assert_eq!(code.unit(), 8 * 2048);
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn bits(
        k: usize,
        m: usize,
        matrix: BitMatrix,
        w: usize,
        packetsize: usize,
        mds: Mds,
    ) -> Result<Code, Error> {
        // SAFETY: both addresses are those of variables.
        Code::made_by(|code, why| unsafe {
            sys::pxr_code_create_bits(
                code,
                number(k),
                number(m),
                matrix.number(),
                number(w),
                packetsize,
                mds.flags(),
                why,
            )
        })
    }

    /// Makes a code of packets from m * w rows of k * w entries, each of which is 0 or 1.  Row
    /// r * w + x describes packet x of parity shard k + r: it is the xor of all data packets
    /// whose columns hold a one.  Column j * w + y stands for packet y of data shard j.
    pub fn bits_custom(
        k: usize,
        m: usize,
        w: usize,
        packetsize: usize,
        rows: &[u8],
        mds: Mds,
    ) -> Result<Code, Error> {
        let entries = k.saturating_mul(w).saturating_mul(m.saturating_mul(w));
        count("entries of the matrix", entries, rows.len())?;
        // SAFETY: the matrix has that many entries.
        Code::made_by(|code, why| unsafe {
            sys::pxr_code_create_bits_custom(
                code,
                number(k),
                number(m),
                number(w),
                packetsize,
                rows.as_ptr(),
                mds.flags(),
                why,
            )
        })
    }

    /// Makes a code of words of w = 4, 16 or 32 bits, in gf-complete's fields.  With 16 and 32
    /// bits it has up to [`MAX_WORD_SHARDS`](crate::MAX_WORD_SHARDS) shards, and lengths are in
    /// whole words; with 4 bits it has up to 16.
    ///
    /// ```
    /// use permxor::{Code, WordMatrix};
    ///
    /// let code = Code::words(300, 4, WordMatrix::JerasureVandermonde, 16)?;
    /// assert_eq!(code.unit(), 2);
    /// # Ok::<(), permxor::Error>(())
    /// ```
    pub fn words(k: usize, m: usize, matrix: WordMatrix, w: usize) -> Result<Code, Error> {
        // SAFETY: both addresses are those of variables.
        Code::made_by(|code, why| unsafe {
            sys::pxr_code_create_words(code, number(k), number(m), matrix.number(), number(w), why)
        })
    }

    pub(crate) fn raw(&self) -> *const sys::pxr_code {
        self.raw.as_ptr()
    }

    /// The number of data shards.
    pub fn k(&self) -> usize {
        self.k
    }

    /// The number of parity shards.
    pub fn m(&self) -> usize {
        self.m
    }

    /// The number of all shards, k + m.
    pub fn shards(&self) -> usize {
        self.k + self.m
    }

    /// The unit in bytes, of which lengths must be multiples: 1 for a code of bytes.
    pub fn unit(&self) -> usize {
        self.unit
    }

    /// The bits of an element: 8 for a code of bytes, otherwise the w of the code.
    pub fn w(&self) -> usize {
        // SAFETY: the code is not NULL.
        unsafe { sys::pxr_code_w(self.raw()) as usize }
    }

    /// The bytes of a packet, or `None` for a code without packets.
    pub fn packetsize(&self) -> Option<usize> {
        // SAFETY: the code is not NULL.
        match unsafe { sys::pxr_code_packetsize(self.raw()) } {
            0 => None,
            bytes => Some(bytes),
        }
    }

    /// The name of the matrix, as in "isal_cauchy".
    pub fn matrix_name(&self) -> &'static str {
        // SAFETY: the code is not NULL, and the name is constant.
        unsafe { text::of_c(sys::pxr_matrix_name(sys::pxr_code_matrix(self.raw()))) }
    }

    /// The m * k coefficients of a code of bytes, row by row; `None` for other codes.
    pub fn coefficients(&self) -> Option<&[u8]> {
        // SAFETY: the coefficients are valid as long as the code.
        unsafe {
            let first = sys::pxr_code_coefficients(self.raw());
            if first.is_null() {
                None
            } else {
                Some(slice::from_raw_parts(first, self.k * self.m))
            }
        }
    }

    /// The matrix of a code of packets in the form that [`Code::bits_custom`] takes; `None` for
    /// other codes.
    pub fn bit_rows(&self) -> Option<Vec<u8>> {
        self.packetsize()?;
        let mut rows = vec![0; self.m * self.w() * self.k * self.w()];
        // SAFETY: there is room for m*w * k*w bytes.
        match unsafe { sys::pxr_code_bits(self.raw(), rows.as_mut_ptr()) } {
            sys::PXR_OK => Some(rows),
            _ => None,
        }
    }
}
