// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static permxor.TestCode.assertRefused;
import static permxor.TestCode.direct;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.Test;

/** Wrong arguments of the general API. */
public class TestArguments {

  @Test
  public void testWrongCodes() {
    for (int[] counts : new int[][] {{0, 1}, {1, 0}, {-1, 2}, {2, -1}, {200, 57},
        {Integer.MAX_VALUE, Integer.MAX_VALUE}}) {
      assertRefused(() -> Code.of(counts[0], counts[1]));
      assertRefused(() -> Code.custom(counts[0], counts[1], new byte[2]));
    }
    assertRefused(() -> Code.of(30, 4, Matrix.ISAL_VAND)); // not MDS
    assertRefused(() -> Code.of(4, 3, Matrix.JERASURE_R6));
    assertRefused(() -> Code.custom(2, 2, new byte[3]));
    assertRefused(() -> Code.custom(2, 2, new byte[4]));
  }

  @Test
  public void testWrongCalls() {
    try (Code code = Code.of(2, 1)) {
      int[] two = new int[2];
      int[] one = new int[1];
      for (int length : new int[] {-1, -8192, Integer.MIN_VALUE}) {
        assertRefused(() -> code.encode(length, new byte[2][8], two, new byte[1][8], one));
        assertRefused(() -> code.reconstruct(length, new byte[3][8], new int[3], new byte[3][],
            new int[3]));
        assertRefused(() -> code.verify(length, new byte[3][8], new int[3]));
        assertRefused(() -> code.update(length, 0, new byte[2][8], two, new byte[1][8], one));
      }
      for (int at : new int[] {-1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
        int[] wrong = {0, at};
        assertThrows(IndexOutOfBoundsException.class,
            () -> code.encode(8, new byte[2][8], wrong, new byte[1][8], one));
        assertThrows(IndexOutOfBoundsException.class,
            () -> code.update(8, 0, new byte[2][8], two, new byte[1][8], new int[] {at}));
      }
      assertRefused(() -> code.encode(new byte[3][8], new byte[1][8]));
      assertRefused(() -> code.encode(new byte[2][8], new byte[2][8]));
      assertRefused(() -> code.encode(8, new byte[2][8], one, new byte[1][8], one));
      assertRefused(() -> code.encode(new byte[][] {new byte[8], null}, new byte[1][8]));
      assertRefused(() -> code.encode(new byte[][] {new byte[8], new byte[7]}, new byte[1][8]));
      assertRefused(() -> code.encode(new byte[2][8], new byte[1][9]));
      assertRefused(() -> code.verify(new byte[4][8]));
      assertRefused(() -> code.verify(new byte[][] {null, new byte[8], new byte[8]}));
      assertRefused(() -> code.reconstruct(new byte[3][8], new byte[3][8])); // there and wanted
      assertRefused(() -> code.update(2, null, new byte[8], new byte[1][8]));
      assertRefused(() -> code.update(-1, null, new byte[8], new byte[1][8]));
      assertRefused(() -> code.update(0, null, null, new byte[1][8]));
      assertRefused(() -> code.encode(direct(new byte[2][8]), direct(new byte[1][9])));
      assertRefused(() -> code.encode(direct(new byte[2][8]),
          new ByteBuffer[] {ByteBuffer.allocate(8)}));
      ByteBuffer[] readOnly = {ByteBuffer.allocateDirect(8).asReadOnlyBuffer()};
      assertThrows(ReadOnlyBufferException.class,
          () -> code.encode(direct(new byte[2][8]), readOnly));
    }
  }

  private static void assertNull(String name, org.junit.function.ThrowingRunnable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  public void testNull() {
    assertNull("rows", () -> Code.custom(2, 2, null));
    assertNull("matrix", () -> Code.of(2, 2, null));
    try (Code code = Code.of(2, 1)) {
      byte[][] two = new byte[2][8];
      byte[][] one = new byte[1][8];
      byte[][] all = new byte[3][8];
      int[] at = new int[3];
      assertNull("data", () -> code.encode(null, one));
      assertNull("parity", () -> code.encode(direct(two), null));
      assertNull("dataAt", () -> code.encode(8, two, null, one, new int[1]));
      assertNull("parityAt", () -> code.encode(8, two, new int[2], one, null));
      assertNull("have", () -> code.reconstruct((byte[][]) null, all));
      assertNull("want", () -> code.reconstruct(direct(all), null));
      assertNull("haveAt", () -> code.reconstruct(8, all, null, all, at));
      assertNull("shards", () -> code.verify((ByteBuffer[]) null));
      assertNull("at", () -> code.verify(8, all, null));
      assertNull("parity", () -> code.update(0, null, two[0], null));
      assertNull("change", () -> code.update(8, 0, null, new int[2], one, new int[1]));
      assertNull("changeAt", () -> code.update(8, 0, two, null, one, new int[1]));
    }
  }

  /** A call of no bytes refuses what a call of some bytes refuses. */
  @Test
  public void testWrongCallsOfNoBytes() {
    try (Code code = Code.of(4, 2)) {
      byte[][] none = new byte[6][0];
      byte[][] absent = new byte[6][];
      int[] outside = {0, 0, 0, 1, 0, 0};
      assertTrue(code.verify(none));
      assertTrue(code.verify(new ByteBuffer[] {ByteBuffer.allocateDirect(0),
          ByteBuffer.allocateDirect(0), ByteBuffer.allocateDirect(0), ByteBuffer.allocateDirect(0),
          null, null}));
      assertRefused(() -> code.verify(absent));
      assertRefused(() -> code.verify(new ByteBuffer[6]));
      assertRefused(() -> code.reconstruct(absent, none));
      assertRefused(() -> code.reconstruct(new ByteBuffer[6], direct(none)));
      assertRefused(() -> code.update(4, new byte[0], new byte[0], new byte[2][0]));
      assertThrows(IndexOutOfBoundsException.class, () -> code.verify(0, none, outside));
    }
  }

  /** The mapping of an empty file has no address. */
  @Test
  public void testEmptyMapping() throws IOException {
    Path file = Files.createTempFile("permxor", null);
    try (Code code = Code.of(2, 1); FileChannel channel = FileChannel.open(file)) {
      ByteBuffer[] have = new ByteBuffer[3];
      for (int i = 0; i < 2; i++) {
        have[i] = channel.map(FileChannel.MapMode.READ_ONLY, 0, 0);
      }
      assertTrue(code.verify(have));
      code.reconstruct(have, new ByteBuffer[] {null, null, ByteBuffer.allocateDirect(0)});
    } finally {
      Files.delete(file);
    }
  }

  /** Arrays are coded in pieces, and all ranges must be looked at before the first one. */
  @Test
  public void testNothingIsWrittenBeforeAWrongRange() {
    try (Code code = Code.of(4, 2)) {
      byte[] changed = new byte[20000];
      Arrays.fill(changed, (byte) 1);
      byte[][] parity = {new byte[20000], new byte[12000]};
      byte[][] data = {changed, changed, changed, changed};
      byte[][] shards = Arrays.copyOf(data, 6);
      shards[0] = null;
      shards[4] = changed;
      byte[][] want = {parity[0], null, null, null, null, parity[1]};
      int[] two = new int[2];
      assertThrows(IndexOutOfBoundsException.class,
          () -> code.update(20000, 0, new byte[][] {null, changed}, two, parity, two));
      assertThrows(IndexOutOfBoundsException.class,
          () -> code.encode(20000, data, new int[4], parity, two));
      assertThrows(IndexOutOfBoundsException.class,
          () -> code.reconstruct(20000, shards, new int[6], want, new int[6]));
      assertArrayEquals(new byte[20000], parity[0]);
      assertArrayEquals(new byte[12000], parity[1]);
    }
  }
}
