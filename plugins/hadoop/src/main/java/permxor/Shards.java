// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import java.nio.ByteBuffer;

/** What the calls of Code look at in the shards that they are given. */
final class Shards {

  private static final int NONE = -1;

  private Shards() {
  }

  /** Returns the length of the arrays, which must be the same for all that are there. */
  static int length(byte[][]... groups) {
    int length = NONE;
    for (byte[][] group : groups) {
      for (byte[] shard : group) {
        if (shard != null) {
          length = same(length, shard.length);
        }
      }
    }
    return Math.max(length, 0);
  }

  /**
   * Returns the length of the buffers, which must be direct, and the same for all. A byte of each is
   * read, since only Java notices that a buffer's memory was freed.
   */
  static int length(ByteBuffer[]... groups) {
    int length = NONE;
    for (ByteBuffer[] group : groups) {
      for (ByteBuffer shard : group) {
        if (shard != null) {
          length = same(length, shard.remaining());
          if (!shard.isDirect()) {
            throw new IllegalArgumentException("a shard is not a direct buffer");
          }
          if (shard.hasRemaining()) {
            shard.get(shard.position());
          }
        }
      }
    }
    return Math.max(length, 0);
  }

  private static int same(int length, int next) {
    if (length != NONE && length != next) {
      throw new IllegalArgumentException("the shards have different lengths, " + length + " and "
          + next);
    }
    return next;
  }

  static int[] positions(ByteBuffer[] buffers) {
    int[] positions = new int[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      positions[i] = buffers[i] == null ? 0 : buffers[i].position();
    }
    return positions;
  }

  static int[] zeros(byte[][] shards) {
    return new int[shards.length];
  }
}
