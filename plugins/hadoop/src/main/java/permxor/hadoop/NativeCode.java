// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A code of libpermxor. Any number of threads may use it at the same time. A thread that
 * closes it waits until the others have finished their calls. A code that nobody closes is
 * freed after it has become unreachable.
 */
public final class NativeCode {

  /**
   * The number of the interface. The native library has the same number; it changes with the
   * native methods.
   */
  static final int INTERFACE = 1;

  private static final Logger LOG = LoggerFactory.getLogger(NativeCode.class);
  private static final Cleaner CLEANER = Cleaner.create();

  /** The code to free, once: by close(), or by the cleaner. */
  private static final class Handle implements Runnable {
    private long code;

    Handle(long code) {
      this.code = code;
    }

    @Override
    public void run() {
      free(code);
      code = 0;
    }
  }

  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Handle handle;
  private final Cleaner.Cleanable cleanable;

  private NativeCode(long code) {
    handle = new Handle(code);
    cleanable = CLEANER.register(this, handle);
  }

  /** Returns the Reed-Solomon code with rows 1/(i^j), which is Hadoop's codec rs. */
  public static NativeCode reedSolomon(int dataUnits, int parityUnits) {
    return of(dataUnits, parityUnits, false);
  }

  /** Returns the code whose parity is the sum of the data, which is Hadoop's codec xor. */
  public static NativeCode xor(int dataUnits, int parityUnits) {
    return of(dataUnits, parityUnits, true);
  }

  private static NativeCode of(int dataUnits, int parityUnits, boolean xor) {
    NativeLibrary.require();
    NativeCode code = new NativeCode(create(units(dataUnits), units(parityUnits), xor));
    LOG.debug("{} of {}+{} units", xor ? "xor" : "rs", dataUnits, parityUnits);
    return code;
  }

  /**
   * Replaces 0 by 1. Hadoop also makes coders without data or without parity. Without data
   * there is no call, and without parity there is no output, so it does not matter which code
   * this is.
   */
  private static int units(int units) {
    return units == 0 ? 1 : units;
  }

  /** Encodes direct buffers from their positions on. The positions do not change. */
  public void encode(int length, ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
    code(length, inputs, null, outputs);
  }

  /**
   * Decodes direct buffers from their positions on. Output i becomes shard erased[i], and
   * entries of inputs may be null.
   */
  public void decode(int length, ByteBuffer[] inputs, int[] erased, ByteBuffer[] outputs)
      throws IOException {
    code(length, inputs, Objects.requireNonNull(erased), outputs);
  }

  private void code(int length, ByteBuffer[] inputs, int[] erased, ByteBuffer[] outputs)
      throws IOException {
    int[] inputAt = positions(inputs);
    int[] outputAt = positions(outputs);
    for (ByteBuffer output : outputs) {
      if (output.isReadOnly()) {
        throw new ReadOnlyBufferException();
      }
    }
    use(outputs, code -> codeBuffers(code, length, inputs, inputAt, erased, outputs, outputAt));
  }

  /** Encodes arrays from the offsets inputAt and outputAt on. */
  public void encode(int length, byte[][] inputs, int[] inputAt, byte[][] outputs, int[] outputAt)
      throws IOException {
    use(outputs, code -> codeArrays(code, length, inputs, inputAt, null, outputs, outputAt));
  }

  /**
   * Decodes arrays from the offsets on. Output i becomes shard erased[i], and entries of
   * inputs may be null.
   */
  public void decode(int length, byte[][] inputs, int[] inputAt, int[] erased, byte[][] outputs,
      int[] outputAt) throws IOException {
    Objects.requireNonNull(erased);
    use(outputs, code -> codeArrays(code, length, inputs, inputAt, erased, outputs, outputAt));
  }

  /** Frees the code. A second call does nothing. */
  public void close() {
    Lock writing = lock.writeLock();
    writing.lock();
    try {
      cleanable.clean();
    } finally {
      writing.unlock();
    }
  }

  private interface Use {
    void on(long code) throws IOException;
  }

  private void use(Object[] outputs, Use use) throws IOException {
    Lock reading = lock.readLock();
    reading.lock();
    try {
      if (handle.code == 0) {
        throw new IOException("The coder is closed");
      }
      if (outputs.length > 0) {
        use.on(handle.code);
      }
    } finally {
      reading.unlock();
      Reference.reachabilityFence(this);
    }
  }

  private static int[] positions(ByteBuffer[] buffers) {
    int[] positions = new int[buffers.length];
    for (int i = 0; i < buffers.length; i++) {
      positions[i] = buffers[i] == null ? 0 : buffers[i].position();
    }
    return positions;
  }

  static native int interfaceNumber();

  static native String describe();

  private static native long create(int dataUnits, int parityUnits, boolean xor);

  private static native void free(long code);

  private static native void codeBuffers(long code, int length, ByteBuffer[] inputs,
      int[] inputAt, int[] erased, ByteBuffer[] outputs, int[] outputAt) throws IOException;

  private static native void codeArrays(long code, int length, byte[][] inputs, int[] inputAt,
      int[] erased, byte[][] outputs, int[] outputAt) throws IOException;
}
