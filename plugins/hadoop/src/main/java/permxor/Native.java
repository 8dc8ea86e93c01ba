// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import java.nio.ByteBuffer;

/**
 * The native methods. They check the number of shards, their ranges and the length, so that no
 * arguments make them leave a buffer. The handle of a code is not checked.
 */
final class Native {

  /**
   * The number of the interface. The native library has the same number; it changes with the
   * native methods.
   */
  static final int INTERFACE = 2;

  /** The inputs are the data, and the outputs are the parity. */
  static final int ENCODE = 0;
  /** Inputs and outputs are all shards. No shard is given both as an input and as an output. */
  static final int RECONSTRUCT = 1;
  /** The inputs are all shards. A parity shard may be null. */
  static final int VERIFY = 2;
  /** The inputs are the old contents, which may be null, and the new; the outputs the parity. */
  static final int UPDATE = 3;

  private Native() {
  }

  static native int interfaceNumber();

  static native String describe();

  /** Makes a code with a matrix of enum Matrix. */
  static native long create(int dataShards, int parityShards, int matrix);

  /** Makes a code with these rows, which are proved MDS. */
  static native long createCustom(int dataShards, int parityShards, byte[] rows);

  static native byte[] coefficients(long code);

  static native void free(long code);

  /** Returns false if VERIFY finds that the parity is wrong, and otherwise true. */
  static native boolean codeBuffers(long code, int operation, int index, int length,
      ByteBuffer[] inputs, int[] inputAt, ByteBuffer[] outputs, int[] outputAt);

  /** Does the same with arrays. */
  static native boolean codeArrays(long code, int operation, int index, int length,
      byte[][] inputs, int[] inputAt, byte[][] outputs, int[] outputAt);
}
