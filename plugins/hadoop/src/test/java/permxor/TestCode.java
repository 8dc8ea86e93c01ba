// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.Test;

/** The general API, judged by the mathematics in Field. */
public class TestCode {

  private static final byte UNTOUCHED = 0x5a;
  private static final int BEFORE = 5;
  private static final int AFTER = 9;

  private final Random random = new Random(Long.getLong("permxor.seed", 1));

  private byte[][] randomData(int count, int length) {
    byte[][] data = new byte[count][length];
    for (byte[] shard : data) {
      random.nextBytes(shard);
    }
    return data;
  }

  private static byte[][] join(byte[][] data, byte[][] parity) {
    return Stream.concat(Arrays.stream(data), Arrays.stream(parity)).toArray(byte[][]::new);
  }

  /** Returns direct buffers with these contents, each with other bytes before and behind it. */
  static ByteBuffer[] direct(byte[]... contents) {
    ByteBuffer[] buffers = new ByteBuffer[contents.length];
    for (int i = 0; i < contents.length; i++) {
      if (contents[i] != null) {
        byte[] padded = padded(contents[i]);
        buffers[i] = ByteBuffer.allocateDirect(padded.length);
        buffers[i].put(padded);
        buffers[i].position(BEFORE).limit(BEFORE + contents[i].length);
      }
    }
    return buffers;
  }

  private static byte[] padded(byte[] content) {
    byte[] padded = new byte[BEFORE + content.length + AFTER];
    Arrays.fill(padded, UNTOUCHED);
    System.arraycopy(content, 0, padded, BEFORE, content.length);
    return padded;
  }

  /** Returns the contents, and checks the bytes around them and the position. */
  private static byte[] content(ByteBuffer buffer) {
    assertEquals(BEFORE, buffer.position());
    byte[] content = new byte[buffer.remaining()];
    buffer.duplicate().get(content);
    byte[] whole = new byte[buffer.capacity()];
    ByteBuffer all = buffer.duplicate();
    all.clear();
    all.get(whole);
    assertArrayEquals(padded(content), whole);
    return content;
  }

  private static byte[][] contents(ByteBuffer[] buffers) {
    return Arrays.stream(buffers).map(b -> b == null ? null : content(b)).toArray(byte[][]::new);
  }

  private void checkEncode(Code code, int[][] rows, int length) {
    byte[][] data = randomData(code.dataShards(), length);
    byte[][] expected = Field.encode(rows, data);
    byte[][] parity = new byte[rows.length][length];
    code.encode(data, parity);
    assertArrayEquals(expected, parity);
    ByteBuffer[] outputs = direct(new byte[rows.length][length]);
    code.encode(direct(data), outputs);
    assertArrayEquals(expected, contents(outputs));
    assertTrue(code.verify(join(data, parity)));
    assertTrue(code.verify(direct(join(data, parity))));
  }

  @Test
  public void testMatrices() {
    for (int[] shape : new int[][] {{1, 1}, {2, 2}, {3, 2}, {6, 3}, {10, 4}, {17, 3}, {5, 9}}) {
      int k = shape[0];
      int m = shape[1];
      checkMatrix(Matrix.ISAL_CAUCHY, k, m, Field.cauchy(k, m));
      checkMatrix(Matrix.KLAUSPOST_VAND, k, m, Field.systematicVandermonde(k, m));
      if (m <= 3) {
        checkMatrix(Matrix.ISAL_VAND, k, m, Field.isalVandermonde(k, m));
      }
      if (m == 2) {
        checkMatrix(Matrix.JERASURE_R6, k, m, Field.isalVandermonde(k, m));
      }
    }
    checkMatrix(Matrix.ISAL_CAUCHY, 200, 56, Field.cauchy(200, 56));
    checkMatrix(Matrix.KLAUSPOST_VAND, 100, 20, Field.systematicVandermonde(100, 20));
  }

  private void checkMatrix(Matrix matrix, int k, int m, int[][] rows) {
    try (Code code = Code.of(k, m, matrix)) {
      byte[] coefficients = code.coefficients();
      for (int r = 0; r < m; r++) {
        for (int j = 0; j < k; j++) {
          assertEquals(matrix + " " + k + "+" + m, rows[r][j], coefficients[r * k + j] & 0xff);
        }
      }
      checkEncode(code, rows, 1 + random.nextInt(50));
      assertEquals(k, code.dataShards());
      assertEquals(m, code.parityShards());
      assertEquals(k + m, code.totalShards());
    }
  }

  /** Jerasure's first row and first column are ones; of the others, only the coding is checked. */
  @Test
  public void testJerasureAndCustom() {
    try (Code jerasure = Code.of(6, 3, Matrix.JERASURE_VAN)) {
      byte[] rows = jerasure.coefficients();
      for (int i = 0; i < 6; i++) {
        assertEquals(1, rows[i]);
      }
      assertEquals(1, rows[6]);
      assertEquals(1, rows[12]);
      try (Code custom = Code.custom(6, 3, rows)) {
        assertArrayEquals(rows, custom.coefficients());
        int[][] matrix = new int[3][6];
        for (int i = 0; i < rows.length; i++) {
          matrix[i / 6][i % 6] = rows[i] & 0xff;
        }
        checkEncode(custom, matrix, 77);
        checkEncode(jerasure, matrix, 77);
      }
    }
  }

  @Test
  public void testLengths() {
    try (Code code = Code.of(4, 2)) {
      int[][] rows = Field.cauchy(4, 2);
      for (int length : new int[] {0, 1, 63, 64, 65, 8191, 8192, 8193, 30000}) {
        checkEncode(code, rows, length);
      }
    }
  }

  @Test
  public void testEveryLoss() {
    try (Code code = Code.of(4, 3)) {
      byte[][] data = randomData(4, 100);
      byte[][] shards = join(data, Field.encode(Field.cauchy(4, 3), data));
      for (int lost = 0; lost < 1 << 7; lost++) {
        byte[][] have = shards.clone();
        byte[][] want = new byte[7][];
        for (int i = 0; i < 7; i++) {
          if ((lost >> i & 1) != 0) {
            have[i] = null;
            want[i] = new byte[100];
          }
        }
        if (Integer.bitCount(lost) > 3) {
          assertThrows(IllegalArgumentException.class, () -> code.reconstruct(have, want));
        } else {
          ByteBuffer[] rebuilt = direct(want);
          code.reconstruct(direct(have), rebuilt);
          code.reconstruct(have, want);
          for (int i = 0; i < 7; i++) {
            if (want[i] != null) {
              assertArrayEquals(shards[i], want[i]);
              assertArrayEquals(shards[i], content(rebuilt[i]));
            }
          }
        }
      }
    }
  }

  /** Each single bit that is wrong must be noticed, also in the last piece of arrays. */
  @Test
  public void testVerify() {
    try (Code code = Code.of(3, 2)) {
      byte[][] data = randomData(3, 8200);
      byte[][] shards = join(data, Field.encode(Field.cauchy(3, 2), data));
      for (byte[] shard : shards) {
        for (int at : new int[] {0, 4000, 8191, 8192, 8199}) {
          byte right = shard[at];
          shard[at] ^= (byte) (1 << random.nextInt(8));
          assertFalse(code.verify(shards));
          assertFalse(code.verify(direct(shards)));
          shard[at] = right;
          assertTrue(code.verify(shards));
        }
      }
      byte[][] without = shards.clone();
      without[4] = null;
      assertTrue(code.verify(without));
    }
  }

  @Test
  public void testUpdate() {
    int[][] rows = Field.cauchy(5, 3);
    try (Code code = Code.of(5, 3)) {
      for (int length : new int[] {1, 100, 20000}) {
        byte[][] data = randomData(5, length);
        byte[][] parity = new byte[3][length];
        for (int i = 0; i < 5; i++) { // from zeros, one shard after the other
          code.update(i, null, data[i], parity);
        }
        assertArrayEquals(Field.encode(rows, data), parity);
        byte[] before = data[2];
        data[2] = randomData(1, length)[0];
        ByteBuffer[] outputs = direct(parity);
        code.update(2, direct(before)[0], direct(data[2])[0], outputs);
        code.update(2, before, data[2], parity);
        assertArrayEquals(Field.encode(rows, data), parity);
        assertArrayEquals(parity, contents(outputs));
      }
    }
  }

  @Test
  public void testOffsets() {
    byte[][] data = randomData(3, 9000);
    byte[][] parity = Field.encode(Field.cauchy(3, 2), data);
    byte[][] paddedData = Arrays.stream(data).map(TestCode::padded).toArray(byte[][]::new);
    byte[][] paddedParity = Arrays.stream(parity).map(TestCode::padded).toArray(byte[][]::new);
    byte[][] outputs = {padded(new byte[9000]), padded(new byte[9000])};
    int[] at = new int[5];
    Arrays.fill(at, BEFORE);
    try (Code code = Code.of(3, 2)) {
      code.encode(9000, paddedData, Arrays.copyOf(at, 3), outputs, Arrays.copyOf(at, 2));
      assertArrayEquals(paddedParity, outputs);
      byte[][] shards = join(paddedData, paddedParity);
      assertTrue(code.verify(9000, shards, at));
      byte[][] want = {padded(new byte[9000]), null, null, null, null};
      byte[][] have = shards.clone();
      have[0] = null;
      code.reconstruct(9000, have, at, want, at);
      assertArrayEquals(paddedData[0], want[0]);
      byte[][] change = {paddedData[0], new byte[9000]};
      code.update(9000, 0, change, new int[] {BEFORE, 0}, outputs, Arrays.copyOf(at, 2));
      data[0] = new byte[9000];
      assertArrayEquals(Arrays.stream(Field.encode(Field.cauchy(3, 2), data))
          .map(TestCode::padded).toArray(byte[][]::new), outputs);
    }
  }

  static void assertRefused(org.junit.function.ThrowingRunnable call) {
    assertThrows(IllegalArgumentException.class, call);
  }

  /** Calls of the native methods that Code would not make, unless a position changes meanwhile. */
  @Test
  public void testNativeBounds() {
    long code = Native.create(2, 1, Matrix.ISAL_CAUCHY.ordinal());
    ByteBuffer[] two = {ByteBuffer.allocateDirect(8), ByteBuffer.allocateDirect(8)};
    ByteBuffer[] one = {ByteBuffer.allocateDirect(8)};
    int[] zeros = new int[2];
    int[] zero = new int[1];
    assertTrue(Native.codeBuffers(code, Native.ENCODE, 0, 8, two, zeros, one, zero));
    for (int length : new int[] {9, 16, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
      for (int operation : new int[] {Native.ENCODE, Native.UPDATE}) {
        assertRefused(
            () -> Native.codeBuffers(code, operation, 0, length, two, zeros, one, zero));
      }
    }
    for (int at : new int[] {1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      int[] wrong = {0, at};
      int[] wrongOne = {at};
      assertRefused(() -> Native.codeBuffers(code, Native.ENCODE, 0, 8, two, wrong, one, zero));
      assertRefused(() -> Native.codeBuffers(code, Native.ENCODE, 0, 8, two, zeros, one, wrongOne));
    }
    for (int operation : new int[] {-1, 4, Integer.MAX_VALUE}) {
      assertRefused(() -> Native.codeBuffers(code, operation, 0, 8, two, zeros, one, zero));
    }
    assertRefused(() -> Native.codeBuffers(code, Native.ENCODE, 0, 8, null, zeros, one, zero));
    assertRefused(() -> Native.codeBuffers(code, Native.ENCODE, 0, 8, two, zeros, one, null));
    Native.free(code);
  }

  @Test
  public void testClosed() {
    Code code = Code.of(2, 1);
    code.close();
    code.close();
    assertThrows(IllegalStateException.class, () -> code.encode(new byte[2][8], new byte[1][8]));
    assertThrows(IllegalStateException.class, () -> code.verify(direct(new byte[3][8])));
    assertThrows(IllegalStateException.class, code::coefficients);
  }

  @Test
  public void testThreads() throws Exception {
    byte[][] data = randomData(6, 5000);
    byte[][] parity = Field.encode(Field.cauchy(6, 3), data);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Future<?>> ends = new ArrayList<>();
    try (Code code = Code.of(6, 3)) {
      for (int i = 0; i < 8; i++) {
        ends.add(threads.submit(() -> {
          for (int j = 0; j < 200; j++) {
            byte[][] outputs = new byte[3][5000];
            code.encode(data, outputs);
            assertArrayEquals(parity, outputs);
          }
        }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
    threads.shutdown();
  }
}
