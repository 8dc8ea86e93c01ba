// SPDX-License-Identifier: BSD-3-Clause

//go:build cgo

package test

// withC says whether libpermxor computes.
const withC = true
