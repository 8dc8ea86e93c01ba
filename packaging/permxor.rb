# SPDX-License-Identifier: BSD-3-Clause
#
# A formula for Homebrew.  It is untried.  The address and the checksum of a release have to be put
# in; there is no release yet.  The command needs Linux; on macOS the formula has the libraries.
class Permxor < Formula
  desc "Erasure coding and RAID parity, a drop-in for ISA-L's"
  homepage "https://example.org/permxor"
  url "https://example.org/permxor-0.1.0.tar.xz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "BSD-3-Clause"

  depends_on "nasm" => :build
  depends_on "pkgconf" => :build
  on_linux do
    depends_on "openssl@3"
    depends_on "xxhash"
  end

  def install
    system "./configure", *std_configure_args
    system "make", "install"
  end

  test do
    (testpath/"test.c").write <<~EOS
      #include <permxor.h>
      #include <string.h>
      int main(void) { return strcmp(pxr_version(), "#{version}") != 0; }
    EOS
    system ENV.cc, "test.c", "-I#{include}", "-L#{lib}", "-lpermxor", "-o", "test"
    system "./test"
  end
end
