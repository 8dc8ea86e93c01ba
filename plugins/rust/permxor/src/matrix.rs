// SPDX-License-Identifier: BSD-3-Clause

use permxor_sys as sys;

/// The coding matrices of bytes.  Each gives the same bytes as the program that it is named
/// after.  In the formulas r is the row, from 0 to m-1, and j is the column, from 0 to k-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Matrix {
    /// ISA-L's `gf_gen_rs_matrix()`: 2^(r*j).  It is MDS only for m <= 3 with any k, for m = 4
    /// with k <= 21, for m = 5 with k <= 5, for m <= 21 with k = 4, and for any m with k <= 3.
    IsalVandermonde,
    /// ISA-L's `gf_gen_cauchy1_matrix()` and HDFS's RS: 1/((k+r) ^ j).  It is always MDS.
    IsalCauchy,
    /// jerasure's reed_sol_van with w = 8.  It is always MDS.
    JerasureVandermonde,
    /// jerasure's reed_sol_r6_op with w = 8, which is also RAID-6: a row of ones and a row of
    /// 2^j, with m = 2.
    JerasureRaid6,
    /// The default of klauspost/reedsolomon, MinIO and reed-solomon-erasure: the Vandermonde
    /// matrix i^j of k+m rows, times the inverse of its top k by k square.  It is always MDS.
    Klauspost,
}

impl Matrix {
    pub(crate) fn number(self) -> sys::pxr_matrix {
        match self {
            Matrix::IsalVandermonde => sys::PXR_ISAL_VAND,
            Matrix::IsalCauchy => sys::PXR_ISAL_CAUCHY,
            Matrix::JerasureVandermonde => sys::PXR_JERASURE_VAN,
            Matrix::JerasureRaid6 => sys::PXR_JERASURE_R6,
            Matrix::Klauspost => sys::PXR_KLAUSPOST_VAND,
        }
    }
}

/// The matrices of zeros and ones, for codes of packets.  Each gives the bytes of the technique
/// of jerasure that it is named after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum BitMatrix {
    /// The bit matrices of 1/(r ^ (m+j)) in GF(2^w).  It is always MDS, and k+m is at most 2^w.
    CauchyOrig,
    /// A matrix derived from `CauchyOrig`, with fewer ones.
    CauchyGood,
    /// Plank's Liberation codes: m = 2, k <= w, and w is a prime number above 2.
    Liberation,
    /// The codes of Blaum and Roth: m = 2, k <= w, and w+1 is a prime number above 2.
    BlaumRoth,
    /// Plank's Liber8tion code: m = 2, w = 8 and k <= 8.
    Liber8tion,
}

impl BitMatrix {
    pub(crate) fn number(self) -> sys::pxr_matrix {
        match self {
            BitMatrix::CauchyOrig => sys::PXR_JERASURE_CAUCHY_ORIG,
            BitMatrix::CauchyGood => sys::PXR_JERASURE_CAUCHY_GOOD,
            BitMatrix::Liberation => sys::PXR_JERASURE_LIBERATION,
            BitMatrix::BlaumRoth => sys::PXR_JERASURE_BLAUM_ROTH,
            BitMatrix::Liber8tion => sys::PXR_JERASURE_LIBER8TION,
        }
    }
}

/// The matrices of words of 4, 16 or 32 bits, with jerasure's bytes.  Both are always MDS.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WordMatrix {
    /// jerasure's reed_sol_van.
    JerasureVandermonde,
    /// jerasure's reed_sol_r6_op, with m = 2.
    JerasureRaid6,
}

impl WordMatrix {
    pub(crate) fn number(self) -> sys::pxr_matrix {
        match self {
            WordMatrix::JerasureVandermonde => sys::PXR_JERASURE_VAN,
            WordMatrix::JerasureRaid6 => sys::PXR_JERASURE_R6,
        }
    }
}
