# SPDX-License-Identifier: BSD-3-Clause
#
# An expression for Nix, for the sources that it lies in.  It is untried.
#   nix-build -E 'with import <nixpkgs> {}; callPackage ./packaging/permxor.nix {}'
{ lib, stdenv, autoreconfHook, pkg-config, nasm, openssl, xxHash }:

stdenv.mkDerivation {
  pname = "permxor";
  version = "0.1.0";
  src = ../.;

  nativeBuildInputs = [ autoreconfHook pkg-config ]
    ++ lib.optional stdenv.hostPlatform.isx86_64 nasm;
  buildInputs = lib.optionals stdenv.hostPlatform.isLinux [ openssl xxHash ];
  enableParallelBuilding = true;

  doCheck = true;
  checkPhase = ''
    PXR_EFFORT=1 make check-brief
  '';

  meta = {
    description = "Erasure coding and RAID parity, a drop-in for ISA-L's";
    license = lib.licenses.bsd3;
    platforms = lib.platforms.unix;
  };
}
