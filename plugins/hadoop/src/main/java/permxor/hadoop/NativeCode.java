// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import permxor.Code;

/**
 * A code with the calls, the limits and the exceptions of Hadoop's coders. It may be used and
 * closed by threads as a Code may.
 */
public final class NativeCode {

  private static final Logger LOG = LoggerFactory.getLogger(NativeCode.class);
  /** Hadoop's limit. */
  private static final int MOST_UNITS = 255;

  private final Code code;

  private NativeCode(Code code) {
    this.code = code;
  }

  /** Returns the Reed-Solomon code with rows 1/(i^j), which is Hadoop's codec rs. */
  public static NativeCode reedSolomon(int dataUnits, int parityUnits) {
    return make("rs", dataUnits, parityUnits,
        () -> Code.of(units(dataUnits), units(parityUnits)));
  }

  /** Returns the code whose parity is the sum of the data, which is Hadoop's codec xor. */
  public static NativeCode xor(int dataUnits, int parityUnits) {
    if (units(parityUnits) != 1) {
      throw new HadoopIllegalArgumentException("xor needs exactly one parity unit");
    }
    return make("xor", dataUnits, parityUnits, () -> {
      byte[] ones = new byte[units(dataUnits)];
      Arrays.fill(ones, (byte) 1);
      return Code.custom(units(dataUnits), 1, ones);
    });
  }

  private static NativeCode make(String codec, int dataUnits, int parityUnits,
      Supplier<Code> maker) {
    NativeLibrary.log();
    if (dataUnits < 0 || parityUnits < 0
        || (long) units(dataUnits) + units(parityUnits) > MOST_UNITS) {
      throw new HadoopIllegalArgumentException("Invalid numDataUnits and numParityUnits");
    }
    NativeCode made = new NativeCode(maker.get());
    LOG.debug("{} of {}+{} units", codec, dataUnits, parityUnits);
    return made;
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
  public void encode(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException {
    use(outputs, () -> code.encode(inputs, outputs));
  }

  /** Encodes arrays from the offsets inputAt and outputAt on. */
  public void encode(int length, byte[][] inputs, int[] inputAt, byte[][] outputs, int[] outputAt)
      throws IOException {
    use(outputs, () -> code.encode(length, inputs, inputAt, outputs, outputAt));
  }

  /**
   * Decodes direct buffers from their positions on. Output i becomes shard erased[i], and
   * entries of inputs may be null.
   */
  public void decode(ByteBuffer[] inputs, int[] erased, ByteBuffer[] outputs) throws IOException {
    use(outputs, () -> code.reconstruct(without(inputs, erased),
        placed(new ByteBuffer[code.totalShards()], erased, outputs)));
  }

  /**
   * Decodes arrays from the offsets on. Output i becomes shard erased[i], and entries of
   * inputs may be null.
   */
  public void decode(int length, byte[][] inputs, int[] inputAt, int[] erased, byte[][] outputs,
      int[] outputAt) throws IOException {
    use(outputs, () -> {
      byte[][] want = placed(new byte[code.totalShards()][], erased, outputs);
      int[] wantAt = new int[want.length];
      for (int i = 0; i < outputs.length; i++) {
        wantAt[erased[i]] = outputAt[i];
      }
      code.reconstruct(length, without(inputs, erased), inputAt, want, wantAt);
    });
  }

  /** Puts each output in the place of its shard. */
  private <T> T[] placed(T[] all, int[] erased, T[] outputs) {
    if (outputs.length > code.parityShards()) {
      throw new HadoopIllegalArgumentException("Too many erased, not recoverable");
    }
    for (int i = 0; i < outputs.length; i++) {
      if (erased[i] < 0 || erased[i] >= all.length || all[erased[i]] != null) {
        throw new HadoopIllegalArgumentException("Invalid erasedIndexes");
      }
      all[erased[i]] = outputs[i];
    }
    return all;
  }

  /** Leaves out inputs that are named erased, because a caller who names them distrusts them. */
  private static <T> T[] without(T[] inputs, int[] erased) {
    T[] left = inputs.clone();
    for (int each : erased) {
      if (each >= 0 && each < left.length) {
        left[each] = null;
      }
    }
    return left;
  }

  /** Frees the code. A second call does nothing. */
  public void close() {
    code.close();
  }

  /** Makes a call, unless there is nothing to write, and throws what Hadoop's coders throw. */
  private void use(Object[] outputs, Runnable call) throws IOException {
    if (outputs.length == 0) {
      return;
    }
    try {
      call.run();
    } catch (HadoopIllegalArgumentException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw new HadoopIllegalArgumentException(e.getMessage());
    } catch (IllegalStateException e) {
      throw new IOException("The coder or a buffer is closed", e);
    }
  }
}
