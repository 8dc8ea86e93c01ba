// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Random;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.junit.After;
import org.junit.Test;

/**
 * Wrong calls must throw the exceptions of Hadoop's coder in Java, with its words if it has any.
 */
public class TestFaults {

  private static final int LENGTH = 100;

  private final RawErasureCoderFactory factory = new RSPermxorRawErasureCoderFactory();
  private final Codes ours = new Codes(factory, 3, 2);
  private final Codes theirs = new Codes(new RSRawErasureCoderFactory(), 3, 2);

  @After
  public void release() {
    ours.release();
  }

  private interface Call {
    void on(Codes codes) throws IOException;
  }

  private void assertSameException(Class<? extends Throwable> expected, Call call) {
    Throwable mine = assertThrows(expected, () -> call.on(ours));
    Throwable yours = assertThrows(expected, () -> call.on(theirs));
    assertEquals(yours.getClass(), mine.getClass());
    assertEquals(yours.getMessage(), mine.getMessage());
  }

  private void assertSame(Call call) {
    assertSameException(IllegalArgumentException.class, call);
  }

  private static ByteBuffer[] direct(int count, int length) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      buffers[i] = ByteBuffer.allocateDirect(length);
    }
    return buffers;
  }

  private static ByteBuffer[] without(ByteBuffer[] buffers, int... numbers) {
    for (int each : numbers) {
      buffers[each] = null;
    }
    return buffers;
  }

  private static ByteBuffer[] with(ByteBuffer[] buffers, int number, ByteBuffer buffer) {
    buffers[number] = buffer;
    return buffers;
  }

  @Test
  public void testTooFewInputs() {
    assertSame(c -> c.decoder.decode(without(direct(5, LENGTH), 0, 1, 2), new int[] {0},
        direct(1, LENGTH)));
    assertSame(c -> c.decoder.decode(new byte[][] {null, null, null, new byte[1], new byte[1]},
        new int[] {0}, new byte[1][1]));
  }

  @Test
  public void testTooManyErased() {
    assertSame(c -> c.decoder.decode(without(direct(5, LENGTH), 0, 1), new int[] {0, 1, 2},
        direct(3, LENGTH)));
  }

  @Test
  public void testWrongCounts() {
    assertSame(c -> c.encoder.encode(direct(2, LENGTH), direct(2, LENGTH)));
    assertSame(c -> c.encoder.encode(direct(3, LENGTH), direct(3, LENGTH)));
    assertSame(c -> c.decoder.decode(direct(4, LENGTH), new int[] {0}, direct(1, LENGTH)));
    assertSame(c -> c.decoder.decode(without(direct(5, LENGTH), 0), new int[] {0},
        direct(2, LENGTH)));
  }

  @Test
  public void testUnequalLengths() {
    ByteBuffer longer = ByteBuffer.allocateDirect(LENGTH + 1);
    assertSame(c -> c.encoder.encode(with(direct(3, LENGTH), 1, longer), direct(2, LENGTH)));
    assertSame(c -> c.encoder.encode(direct(3, LENGTH), with(direct(2, LENGTH), 1, longer)));
    assertSame(c -> c.encoder.encode(new byte[3][LENGTH], new byte[2][LENGTH - 1]));
    assertSame(c -> c.decoder.decode(without(direct(5, LENGTH), 0), new int[] {0},
        direct(1, LENGTH - 1)));
  }

  @Test
  public void testNothingButNull() {
    assertSame(c -> c.encoder.encode(new ByteBuffer[3], new ByteBuffer[2]));
    assertSame(c -> c.encoder.encode(new byte[3][], new byte[2][]));
    assertSame(c -> c.encoder.encode(direct(3, LENGTH), new ByteBuffer[2]));
    assertSame(c -> c.encoder.encode(without(direct(3, LENGTH), 2), direct(2, LENGTH)));
    assertSame(c -> c.decoder.decode(new ByteBuffer[5], new int[] {0}, direct(1, LENGTH)));
    assertSame(c -> c.decoder.decode(without(direct(5, LENGTH), 0), new int[] {0},
        new ByteBuffer[1]));
    Class<? extends Throwable> missing = NullPointerException.class;
    assertThrows(missing, () -> ours.encoder.encode((ByteBuffer[]) null, direct(2, LENGTH)));
    assertThrows(missing, () -> ours.encoder.encode(direct(3, LENGTH), null));
    assertThrows(missing,
        () -> ours.decoder.decode(without(direct(5, LENGTH), 0), null, direct(1, LENGTH)));
  }

  @Test
  public void testMixedBuffers() {
    ByteBuffer heap = ByteBuffer.allocate(LENGTH);
    assertSame(c -> c.encoder.encode(with(direct(3, LENGTH), 2, heap), direct(2, LENGTH)));
    assertSame(c -> c.encoder.encode(direct(3, LENGTH), with(direct(2, LENGTH), 0, heap)));
  }

  @Test
  public void testReadOnlyOutput() throws IOException {
    for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocateDirect(LENGTH),
        ByteBuffer.allocate(LENGTH)}) {
      ByteBuffer[] in = {buffer.duplicate(), buffer.duplicate(), buffer.duplicate()};
      ByteBuffer[] out = {buffer.duplicate(), buffer.asReadOnlyBuffer()};
      assertSameException(ReadOnlyBufferException.class, c -> c.encoder.encode(in, out));
    }
  }

  /** Hadoop's coder accesses an array out of its bounds, or writes the same output twice. */
  @Test
  public void testWrongErasedIndexes() {
    for (int[] erased : new int[][] {{-1}, {5}, {Integer.MAX_VALUE}, {Integer.MIN_VALUE},
        {1, 1}}) {
      for (boolean buffers : new boolean[] {true, false}) {
        assertThrows(HadoopIllegalArgumentException.class, () -> {
          if (buffers) {
            ours.decoder.decode(without(direct(5, LENGTH), 1), erased,
                direct(erased.length, LENGTH));
          } else {
            ours.decoder.decode(new byte[5][LENGTH], erased, new byte[erased.length][LENGTH]);
          }
        });
      }
    }
  }

  /** An input that is also named as erased is not trusted, and does not count. */
  @Test
  public void testErasedInput() throws IOException {
    byte[][] data = Codes.randomData(new Random(1), 3, LENGTH);
    byte[][] shards = Codes.join(data, Kind.ARRAYS.encode(ours.encoder, data));
    byte[][] inputs = shards.clone();
    inputs[1] = new byte[LENGTH];
    for (Kind kind : Kind.values()) {
      assertArrayEquals(data[1], kind.decode(ours.decoder, inputs, new int[] {1})[0]);
    }
    inputs[0] = null;
    inputs[2] = null;
    assertThrows(HadoopIllegalArgumentException.class,
        () -> ours.decoder.decode(inputs, new int[] {1}, new byte[1][LENGTH]));
  }

  @Test
  public void testNothingErased() throws IOException {
    ours.decoder.decode(direct(5, LENGTH), new int[0], new ByteBuffer[0]);
    ours.decoder.decode(new byte[5][LENGTH], new int[0], new byte[0][]);
  }

  @Test
  public void testLengthZero() throws IOException {
    ours.encoder.encode(direct(3, 0), direct(2, 0));
    ours.encoder.encode(new byte[3][0], new byte[2][0]);
    ours.decoder.decode(without(direct(5, 0), 0), new int[] {0}, direct(1, 0));
  }

  @Test
  public void testCodesThatThereAreNot() {
    int[][] wrong = {{-1, 3}, {3, -1}, {200, 56}, {Integer.MAX_VALUE, 1},
        {Integer.MAX_VALUE, Integer.MAX_VALUE}};
    for (int[] counts : wrong) {
      ErasureCoderOptions options = new ErasureCoderOptions(counts[0], counts[1]);
      assertThrows(HadoopIllegalArgumentException.class, () -> factory.createEncoder(options));
      assertThrows(HadoopIllegalArgumentException.class, () -> factory.createDecoder(options));
    }
    assertThrows(HadoopIllegalArgumentException.class,
        () -> new XORPermxorRawErasureCoderFactory()
            .createEncoder(new ErasureCoderOptions(4, 2)));
  }

  /** Hadoop makes such coders and does not use them. */
  @Test
  public void testNoUnits() throws IOException {
    Codes empty = new Codes(factory, 0, 0);
    assertThrows(HadoopIllegalArgumentException.class,
        () -> empty.encoder.encode(new ByteBuffer[0], new ByteBuffer[0]));
    empty.release();
    Codes parityless = new Codes(factory, 3, 0);
    parityless.encoder.encode(direct(3, LENGTH), new ByteBuffer[0]);
    parityless.encoder.encode(new byte[3][LENGTH], new byte[0][]);
    parityless.release();
    Codes dataless = new Codes(factory, 0, 2);
    assertThrows(HadoopIllegalArgumentException.class,
        () -> dataless.encoder.encode(new byte[0][], new byte[2][LENGTH]));
    dataless.release();
  }

  @Test
  public void testReleased() throws IOException {
    ours.release();
    ours.release();
    assertThrows(IOException.class,
        () -> ours.encoder.encode(direct(3, LENGTH), direct(2, LENGTH)));
    assertThrows(IOException.class,
        () -> ours.encoder.encode(new byte[3][LENGTH], new byte[2][LENGTH]));
    assertThrows(IOException.class, () -> ours.decoder.decode(without(direct(5, LENGTH), 0),
        new int[] {0}, direct(1, LENGTH)));
  }

  /** Calls that bypass Hadoop's checks, with wrong positions, lengths and buffers. */
  @Test
  public void testNativeBounds() throws IOException {
    NativeCode code = NativeCode.reedSolomon(2, 1);
    int[] zero = {0, 0};
    for (int at : new int[] {-1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertThrows(IndexOutOfBoundsException.class,
          () -> code.encode(8, new byte[2][8], new int[] {0, at}, new byte[1][8], new int[1]));
      assertThrows(IndexOutOfBoundsException.class,
          () -> code.encode(8, new byte[2][8], zero, new byte[1][8], new int[] {at}));
    }
    for (int length : new int[] {-1, -8192, Integer.MIN_VALUE}) {
      assertThrows(HadoopIllegalArgumentException.class,
          () -> code.encode(length, new byte[2][8], zero, new byte[1][8], new int[1]));
      assertThrows(HadoopIllegalArgumentException.class, () -> code.decode(length,
          new byte[][] {null, new byte[8], new byte[8]}, new int[3], new int[] {0},
          new byte[1][8], new int[1]));
    }
    assertThrows(IndexOutOfBoundsException.class,
        () -> code.encode(9, new byte[2][8], zero, new byte[1][8], new int[1]));
    assertThrows(HadoopIllegalArgumentException.class, () -> code.encode(direct(2, 8),
        new ByteBuffer[] {ByteBuffer.allocate(8)}));
    assertThrows(HadoopIllegalArgumentException.class,
        () -> code.encode(direct(2, 8), direct(1, 9)));
    assertThrows(HadoopIllegalArgumentException.class,
        () -> code.encode(direct(1, 8), direct(1, 8)));
    assertThrows(HadoopIllegalArgumentException.class,
        () -> code.encode(direct(2, 8), direct(2, 8)));
    code.close();
  }
}
