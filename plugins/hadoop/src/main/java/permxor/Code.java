// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * An erasure code of k data shards and m parity shards over GF(2^8). Any k of the k+m shards are
 * enough to compute the others.
 *
 * <p>Shards are byte arrays or direct buffers. All shards of a call have the same length. Arrays
 * of all shards hold the data shards, then the parity shards. A shard that is written must not
 * overlap another shard.
 *
 * <p>Direct buffers are used where they are, from their positions to their limits, and their
 * positions do not change. Arrays are copied 8 KiB at a time, so that no garbage collection waits
 * for a call.
 *
 * <p>Wrong arguments give an IllegalArgumentException, and a range outside an array gives an
 * IndexOutOfBoundsException. A list of shards or of offsets that is null gives a
 * NullPointerException with its name. Nothing has been written then.
 *
 * <p>Any number of threads may use a code at the same time. A thread that closes it waits until
 * the others have finished their calls; after that, calls throw an IllegalStateException, and so
 * do calls with buffers of an arena that is closed. Do not close an arena during a call. A code that
 * nobody closes is freed after it has become unreachable.
 */
public final class Code implements AutoCloseable {

  private static final Cleaner CLEANER = Cleaner.create();
  /** PXR_MAX_SHARDS, the number of points of the field. */
  private static final int MOST_SHARDS = 256;

  /** The native code to free, once: by close(), or by the cleaner. */
  private static final class Handle implements Runnable {
    private long code;

    Handle(long code) {
      this.code = code;
    }

    @Override
    public void run() {
      Native.free(code);
      code = 0;
    }
  }

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final int dataShards;
  private final int parityShards;
  private final Handle handle;
  private final Cleaner.Cleanable cleanable;

  private Code(int dataShards, int parityShards, long code) {
    this.dataShards = dataShards;
    this.parityShards = parityShards;
    handle = new Handle(code);
    cleanable = CLEANER.register(this, handle);
  }

  /** Makes a code with the matrix ISAL_CAUCHY. There are at most 256 shards in all. */
  public static Code of(int dataShards, int parityShards) {
    return of(dataShards, parityShards, Matrix.ISAL_CAUCHY);
  }

  /** Makes a code with this matrix. It is an error if the matrix does not survive any m losses. */
  public static Code of(int dataShards, int parityShards, Matrix matrix) {
    Library.require();
    check(dataShards, parityShards);
    given(matrix, "matrix");
    return new Code(dataShards, parityShards,
        Native.create(dataShards, parityShards, matrix.ordinal()));
  }

  /**
   * Makes a code from the coefficients of its parity rows, row by row: m*k bytes. It is an error
   * if the code does not survive any m losses, or if it is too large to prove that.
   */
  public static Code custom(int dataShards, int parityShards, byte[] rows) {
    Library.require();
    check(dataShards, parityShards);
    given(rows, "rows");
    if (rows.length != (long) dataShards * parityShards) {
      throw new IllegalArgumentException(rows.length + " coefficients for " + dataShards + "+"
          + parityShards + " shards");
    }
    return new Code(dataShards, parityShards, Native.createCustom(dataShards, parityShards, rows));
  }

  private static void check(int dataShards, int parityShards) {
    if (dataShards < 1 || parityShards < 1 || (long) dataShards + parityShards > MOST_SHARDS) {
      throw new IllegalArgumentException(dataShards + "+" + parityShards + " shards: there must be"
          + " a data shard, a parity shard, and at most " + MOST_SHARDS + " shards");
    }
  }

  /** Returns k. */
  public int dataShards() {
    return dataShards;
  }

  /** Returns m. */
  public int parityShards() {
    return parityShards;
  }

  /** Returns k+m. */
  public int totalShards() {
    return dataShards + parityShards;
  }

  /** Returns the coefficients of the parity rows, row by row. */
  public byte[] coefficients() {
    byte[][] rows = new byte[1][];
    use(code -> {
      rows[0] = Native.coefficients(code);
      return true;
    });
    return rows[0];
  }

  /** Computes the parity shards. */
  public void encode(byte[][] data, byte[][] parity) {
    given(data, "data");
    given(parity, "parity");
    encode(Shards.length(data, parity), data, Shards.zeros(data), parity, Shards.zeros(parity));
  }

  /** Computes `length` bytes of the parity shards. Each shard begins at its offset in its array. */
  public void encode(int length, byte[][] data, int[] dataAt, byte[][] parity, int[] parityAt) {
    given(data, "data");
    given(dataAt, "dataAt");
    given(parity, "parity");
    given(parityAt, "parityAt");
    arrays(Native.ENCODE, 0, length, data, dataAt, parity, parityAt);
  }

  /** Computes the parity shards in direct buffers. */
  public void encode(ByteBuffer[] data, ByteBuffer[] parity) {
    given(data, "data");
    given(parity, "parity");
    buffers(Native.ENCODE, 0, data, parity);
  }

  /**
   * Rebuilds shards, data or parity. Both arrays have an entry for each of the k+m shards.
   *
   * @param have the shards that are there, at least k. A lost shard is null.
   * @param want where to write the shards that are wanted. The others are null.
   */
  public void reconstruct(byte[][] have, byte[][] want) {
    given(have, "have");
    given(want, "want");
    reconstruct(Shards.length(have, want), have, Shards.zeros(have), want, Shards.zeros(want));
  }

  /** Rebuilds `length` bytes of shards. Each shard begins at its offset in its array. */
  public void reconstruct(int length, byte[][] have, int[] haveAt, byte[][] want, int[] wantAt) {
    given(have, "have");
    given(haveAt, "haveAt");
    given(want, "want");
    given(wantAt, "wantAt");
    arrays(Native.RECONSTRUCT, 0, length, have, haveAt, want, wantAt);
  }

  /** Rebuilds shards in direct buffers. */
  public void reconstruct(ByteBuffer[] have, ByteBuffer[] want) {
    given(have, "have");
    given(want, "want");
    buffers(Native.RECONSTRUCT, 0, have, want);
  }

  /**
   * Returns whether the parity shards belong to the data shards. A parity shard that is null is not
   * compared.
   */
  public boolean verify(byte[][] shards) {
    given(shards, "shards");
    return verify(Shards.length(shards), shards, Shards.zeros(shards));
  }

  /** Looks at `length` bytes of the shards. Each shard begins at its offset in its array. */
  public boolean verify(int length, byte[][] shards, int[] at) {
    given(shards, "shards");
    given(at, "at");
    return arrays(Native.VERIFY, 0, length, shards, at, new byte[0][], new int[0]);
  }

  /** Does the same with direct buffers. */
  public boolean verify(ByteBuffer[] shards) {
    given(shards, "shards");
    return buffers(Native.VERIFY, 0, shards, new ByteBuffer[0]);
  }

  /**
   * Brings the parity up to date after data shard `index` has changed.
   *
   * @param oldData the contents before, or null for zeros
   * @param newData the contents now
   * @param parity the parity shards. One that is null is left as it is.
   */
  public void update(int index, byte[] oldData, byte[] newData, byte[][] parity) {
    given(parity, "parity");
    byte[][] change = {oldData, newData};
    update(Shards.length(change, parity), index, change, Shards.zeros(change), parity,
        Shards.zeros(parity));
  }

  /**
   * Updates `length` bytes. The array `change` holds the contents before, or null, and the contents
   * now. Each shard begins at its offset in its array.
   */
  public void update(int length, int index, byte[][] change, int[] changeAt, byte[][] parity,
      int[] parityAt) {
    given(change, "change");
    given(changeAt, "changeAt");
    given(parity, "parity");
    given(parityAt, "parityAt");
    arrays(Native.UPDATE, index, length, change, changeAt, parity, parityAt);
  }

  /** Does the same with direct buffers. */
  public void update(int index, ByteBuffer oldData, ByteBuffer newData, ByteBuffer[] parity) {
    given(parity, "parity");
    buffers(Native.UPDATE, index, new ByteBuffer[] {oldData, newData}, parity);
  }

  /** Frees the code. A second call does nothing. */
  @Override
  public void close() {
    Lock writing = lock.writeLock();
    writing.lock();
    try {
      cleanable.clean();
    } finally {
      writing.unlock();
    }
  }

  private static void given(Object argument, String name) {
    Objects.requireNonNull(argument, name);
  }

  private boolean arrays(int operation, int index, int length, byte[][] inputs, int[] inputAt,
      byte[][] outputs, int[] outputAt) {
    return use(code -> Native.codeArrays(code, operation, index, length, inputs, inputAt, outputs,
        outputAt));
  }

  private boolean buffers(int operation, int index, ByteBuffer[] inputs, ByteBuffer[] outputs) {
    int length = Shards.length(inputs, outputs);
    int[] inputAt = Shards.positions(inputs);
    int[] outputAt = Shards.positions(outputs);
    for (ByteBuffer output : outputs) {
      if (output != null && output.isReadOnly()) {
        throw new ReadOnlyBufferException();
      }
    }
    return use(code -> Native.codeBuffers(code, operation, index, length, inputs, inputAt, outputs,
        outputAt));
  }

  private interface Use {
    boolean on(long code);
  }

  private boolean use(Use use) {
    Lock reading = lock.readLock();
    reading.lock();
    try {
      if (handle.code == 0) {
        throw new IllegalStateException("the code is closed");
      }
      return use.on(handle.code);
    } finally {
      reading.unlock();
      Reference.reachabilityFence(this);
    }
  }
}
