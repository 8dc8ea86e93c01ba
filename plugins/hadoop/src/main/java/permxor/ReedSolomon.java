// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import java.util.Arrays;

/**
 * A code with the calls of the class ReedSolomon of Backblaze's JavaReedSolomon, and with the same
 * bytes. A program moves by its import line. There are no coding loops to choose from.
 *
 * <p>Each call gets all shards, the data before the parity, in arrays of the same length. It works
 * on byteCount bytes of each from the offset on. Wrong arguments give an IllegalArgumentException,
 * and null in place of an array gives a NullPointerException.
 *
 * <p>Any number of threads may use an object at the same time.
 */
public final class ReedSolomon {

  private final int dataShardCount;
  private final int parityShardCount;
  private final Code code; // null without parity

  private ReedSolomon(int dataShardCount, int parityShardCount) {
    this.dataShardCount = dataShardCount;
    this.parityShardCount = parityShardCount;
    code = parityShardCount == 0 ? null
        : Code.of(dataShardCount, parityShardCount, Matrix.KLAUSPOST_VAND);
  }

  /** Makes a code of at most 256 shards. */
  public static ReedSolomon create(int dataShardCount, int parityShardCount) {
    if (dataShardCount < 1 || parityShardCount < 0
        || (long) dataShardCount + parityShardCount > 256) {
      throw new IllegalArgumentException(dataShardCount + "+" + parityShardCount
          + " shards: there must be at least one data shard, and at most 256 shards");
    }
    return new ReedSolomon(dataShardCount, parityShardCount);
  }

  /** Returns the number of data shards. */
  public int getDataShardCount() {
    return dataShardCount;
  }

  /** Returns the number of parity shards. */
  public int getParityShardCount() {
    return parityShardCount;
  }

  /** Returns the number of all shards. */
  public int getTotalShardCount() {
    return dataShardCount + parityShardCount;
  }

  /** Writes the parity shards. */
  public void encodeParity(byte[][] shards, int offset, int byteCount) {
    check(shards, offset, byteCount);
    if (code != null) {
      code.encode(byteCount, data(shards), offsets(dataShardCount, offset), parity(shards),
          offsets(parityShardCount, offset));
    }
  }

  /** Returns whether the parity shards belong to the data shards. */
  public boolean isParityCorrect(byte[][] shards, int firstByte, int byteCount) {
    check(shards, firstByte, byteCount);
    return code == null
        || code.verify(byteCount, shards, offsets(getTotalShardCount(), firstByte));
  }

  /**
   * Does the same. JavaReedSolomon works in the buffer, which must have room for firstByte +
   * byteCount bytes; this class does not need it.
   */
  public boolean isParityCorrect(byte[][] shards, int firstByte, int byteCount,
      byte[] tempBuffer) {
    check(shards, firstByte, byteCount);
    if (tempBuffer.length < firstByte + byteCount) {
      throw new IllegalArgumentException("tempBuffer has " + tempBuffer.length
          + " bytes, which is less than firstByte + byteCount");
    }
    return isParityCorrect(shards, firstByte, byteCount);
  }

  /**
   * Writes the shards that are not present, data and parity, into their arrays.
   *
   * @param shardPresent which shards hold what they should; at least as many as there are data
   *     shards
   */
  public void decodeMissing(byte[][] shards, boolean[] shardPresent, int offset, int byteCount) {
    check(shards, offset, byteCount);
    if (shardPresent.length < shards.length) {
      throw new IllegalArgumentException("shardPresent has " + shardPresent.length
          + " entries, which is less than " + shards.length);
    }
    byte[][] have = new byte[shards.length][];
    byte[][] want = new byte[shards.length][];
    int present = 0;
    for (int i = 0; i < shards.length; i++) {
      present += shardPresent[i] ? 1 : 0;
      (shardPresent[i] ? have : want)[i] = shards[i];
    }
    if (present < dataShardCount) {
      throw new IllegalArgumentException("Not enough shards present: " + present + " of "
          + dataShardCount);
    }
    if (present < shards.length) {
      int[] at = offsets(shards.length, offset);
      code.reconstruct(byteCount, have, at, want, at);
    }
  }

  private byte[][] data(byte[][] shards) {
    return Arrays.copyOf(shards, dataShardCount);
  }

  private byte[][] parity(byte[][] shards) {
    return Arrays.copyOfRange(shards, dataShardCount, shards.length);
  }

  private static int[] offsets(int count, int offset) {
    int[] offsets = new int[count];
    Arrays.fill(offsets, offset);
    return offsets;
  }

  private void check(byte[][] shards, int offset, int byteCount) {
    if (shards.length != getTotalShardCount()) {
      throw new IllegalArgumentException(shards.length + " shards instead of "
          + getTotalShardCount());
    }
    for (byte[] shard : shards) {
      if (shard.length != shards[0].length) {
        throw new IllegalArgumentException("the shards have different lengths, "
            + shards[0].length + " and " + shard.length);
      }
    }
    if (offset < 0 || byteCount < 0 || (long) offset + byteCount > shards[0].length) {
      throw new IllegalArgumentException("offset " + offset + " and byteCount " + byteCount
          + " do not fit shards of " + shards[0].length + " bytes");
    }
  }
}
