// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.junit.Test;

/**
 * The calls of Backblaze's JavaReedSolomon. Its build publishes no artifact, so its matrix
 * is computed here, by its definition: the rows i^j, times the inverse of the first k of them.
 */
public class TestReedSolomon {

  private final Random random = new Random(Long.getLong("permxor.seed", 1));

  private byte[][] encoded(int k, int m, int length) {
    byte[][] shards = new byte[k + m][length];
    for (int i = 0; i < k; i++) {
      random.nextBytes(shards[i]);
    }
    byte[][] parity = Field.encode(Field.systematicVandermonde(k, m), Arrays.copyOf(shards, k));
    System.arraycopy(parity, 0, shards, k, m);
    return shards;
  }

  private static byte[][] copy(byte[][] shards) {
    return Arrays.stream(shards).map(byte[]::clone).toArray(byte[][]::new);
  }

  /** The example of the library's own test, which klauspost/reedsolomon has as well. */
  @Test
  public void testPublishedBytes() {
    byte[][] shards = {{0, 1}, {4, 5}, {2, 3}, {6, 7}, {8, 9}, {0, 0}, {0, 0}, {0, 0}, {0, 0},
        {0, 0}};
    ReedSolomon.create(5, 5).encodeParity(shards, 0, 2);
    assertArrayEquals(new byte[][] {{12, 13}, {10, 11}, {14, 15}, {90, 91}, {94, 95}},
        Arrays.copyOfRange(shards, 5, 10));
  }

  @Test
  public void testBytes() {
    for (int[] shape : new int[][] {{1, 1}, {2, 1}, {4, 2}, {17, 3}, {10, 10}, {100, 20}}) {
      byte[][] shards = encoded(shape[0], shape[1], 1 + random.nextInt(60));
      ReedSolomon codec = ReedSolomon.create(shape[0], shape[1]);
      assertEquals(shape[0], codec.getDataShardCount());
      assertEquals(shape[1], codec.getParityShardCount());
      assertEquals(shape[0] + shape[1], codec.getTotalShardCount());
      byte[][] mine = copy(shards);
      for (int i = shape[0]; i < mine.length; i++) {
        random.nextBytes(mine[i]);
      }
      codec.encodeParity(mine, 0, mine[0].length);
      assertArrayEquals(shards, mine);
    }
  }

  /** Only the bytes from the offset on may be written. */
  @Test
  public void testParts() {
    byte[][] shards = encoded(4, 2, 20000);
    byte[][] mine = copy(shards);
    Arrays.fill(mine[4], (byte) 1);
    Arrays.fill(mine[5], (byte) 2);
    ReedSolomon.create(4, 2).encodeParity(mine, 100, 10000);
    for (int i = 4; i < 6; i++) {
      byte[] expected = new byte[20000];
      Arrays.fill(expected, (byte) (i - 3));
      System.arraycopy(shards[i], 100, expected, 100, 10000);
      assertArrayEquals(expected, mine[i]);
    }
    assertTrue(ReedSolomon.create(4, 2).isParityCorrect(mine, 100, 10000));
    assertFalse(ReedSolomon.create(4, 2).isParityCorrect(mine, 99, 10001));
    assertFalse(ReedSolomon.create(4, 2).isParityCorrect(mine, 100, 10001, new byte[20000]));
  }

  @Test
  public void testEveryLoss() {
    ReedSolomon codec = ReedSolomon.create(4, 3);
    byte[][] shards = encoded(4, 3, 50);
    for (int lost = 0; lost < 1 << 7; lost++) {
      byte[][] mine = copy(shards);
      boolean[] present = new boolean[7];
      for (int i = 0; i < 7; i++) {
        present[i] = (lost >> i & 1) == 0;
        if (!present[i]) {
          Arrays.fill(mine[i], (byte) 0);
        }
      }
      if (Integer.bitCount(lost) <= 3) {
        codec.decodeMissing(mine, Arrays.copyOf(present, present.length + 1), 0, 50);
        assertArrayEquals(shards, mine);
      } else {
        assertThrows(IllegalArgumentException.class,
            () -> codec.decodeMissing(mine, present, 0, 50));
      }
    }
  }

  @Test
  public void testWithoutParity() {
    ReedSolomon codec = ReedSolomon.create(3, 0);
    byte[][] shards = new byte[3][10];
    codec.encodeParity(shards, 0, 10);
    assertTrue(codec.isParityCorrect(shards, 0, 10));
    codec.decodeMissing(shards, new boolean[] {true, true, true}, 0, 10);
  }

  private static void assertRefused(org.junit.function.ThrowingRunnable call) {
    assertThrows(IllegalArgumentException.class, call);
  }

  @Test
  public void testWrongCalls() {
    assertRefused(() -> ReedSolomon.create(200, 57));
    assertRefused(() -> ReedSolomon.create(0, 1));
    assertRefused(() -> ReedSolomon.create(1, -1));
    assertRefused(() -> ReedSolomon.create(Integer.MAX_VALUE, Integer.MAX_VALUE));
    ReedSolomon codec = ReedSolomon.create(2, 1);
    assertRefused(() -> codec.encodeParity(new byte[4][8], 0, 8));
    assertRefused(() -> codec.encodeParity(new byte[][] {{1}, {2, 3}, {4}}, 0, 1));
    for (int[] range : new int[][] {{-1, 4}, {0, -1}, {0, 9}, {8, 1},
        {Integer.MAX_VALUE, Integer.MAX_VALUE}}) {
      byte[][] shards = new byte[3][8];
      boolean[] present = {false, true, true};
      assertRefused(() -> codec.encodeParity(shards, range[0], range[1]));
      assertRefused(() -> codec.isParityCorrect(shards, range[0], range[1]));
      assertRefused(() -> codec.decodeMissing(shards, present, range[0], range[1]));
    }
    assertRefused(() -> codec.isParityCorrect(new byte[3][8], 4, 4, new byte[7]));
    assertRefused(() -> codec.decodeMissing(new byte[3][8], new boolean[2], 0, 8));
  }
}
