// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import static org.junit.Assert.assertArrayEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.io.erasurecode.ErasureCodeNative;
import org.apache.hadoop.io.erasurecode.rawcoder.NativeRSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.NativeXORRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RSRawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.XORRawErasureCoderFactory;
import org.junit.AfterClass;
import org.junit.Assume;
import org.junit.Test;

/**
 * Each coder reads what the other writes. Both make the same parity of the same data, and each
 * rebuilds from the other's shards. The coders are ours, and Hadoop's in Java or over ISA-L.
 */
public class TestExchange {

  private static final RawErasureCoderFactory RS = new RSPermxorRawErasureCoderFactory();
  private static final RawErasureCoderFactory XOR = new XORPermxorRawErasureCoderFactory();
  private static final int[] SHORT = {1, 15, 64, 4099, 8192, 8193};
  private static final int[] LONG = {65537, (1 << 20) + 13};

  private static long decoded;
  private static long bytes;

  private final Random random = new Random(Long.getLong("permxor.seed", 1));

  @AfterClass
  public static void report() {
    System.out.println("said: exchange: " + decoded + " decodings, " + (bytes >> 20) + " MiB");
  }

  @Test
  public void testAllLossesOf32() throws IOException {
    exchangeAll(RS, new RSRawErasureCoderFactory(), 3, 2);
  }

  @Test
  public void testAllLossesOf63() throws IOException {
    exchangeAll(RS, new RSRawErasureCoderFactory(), 6, 3);
  }

  @Test
  public void testLossesOf104() throws IOException {
    exchange(RS, new RSRawErasureCoderFactory(), 10, 4, some(Codes.losses(14, 4), 100), SHORT);
    exchange(RS, new RSRawErasureCoderFactory(), 10, 4, some(Codes.losses(14, 4), 3), LONG);
  }

  @Test
  public void testAllLossesOfXor() throws IOException {
    exchangeAll(XOR, new XORRawErasureCoderFactory(), 2, 1);
    exchangeAll(XOR, new XORRawErasureCoderFactory(), 10, 1);
  }

  @Test
  public void testIsal() throws IOException {
    Assume.assumeTrue(ErasureCodeNative.isNativeCodeLoaded());
    System.out.println("said: ISA-L is " + ErasureCodeNative.getLibraryName());
    exchangeAll(RS, new NativeRSRawErasureCoderFactory(), 3, 2);
    exchangeAll(RS, new NativeRSRawErasureCoderFactory(), 6, 3);
    exchangeAll(RS, new NativeRSRawErasureCoderFactory(), 10, 4);
    exchangeAll(XOR, new NativeXORRawErasureCoderFactory(), 10, 1);
  }

  /** Many codes, among them the largest. */
  @Test
  public void testRandomCodes() throws IOException {
    for (int i = 0; i < 40; i++) {
      int k = 1 + random.nextInt(24);
      int m = 1 + random.nextInt(8);
      exchange(RS, new RSRawErasureCoderFactory(), k, m, List.of(randomLosses(k + m, m)),
          1 + random.nextInt(20000));
    }
    exchange(RS, new RSRawErasureCoderFactory(), 200, 55, List.of(randomLosses(255, 55)), 77);
  }

  private void exchangeAll(RawErasureCoderFactory ours, RawErasureCoderFactory theirs, int k,
      int m) throws IOException {
    List<int[]> losses = Codes.losses(k + m, m);
    exchange(ours, theirs, k, m, losses, SHORT);
    exchange(ours, theirs, k, m, some(losses, 3), LONG);
  }

  private void exchange(RawErasureCoderFactory ourFactory, RawErasureCoderFactory theirFactory,
      int k, int m, List<int[]> losses, int... lengths) throws IOException {
    Codes ours = new Codes(ourFactory, k, m);
    Codes theirs = new Codes(theirFactory, k, m);
    for (int length : lengths) {
      byte[][] data = Codes.randomData(random, k, length);
      byte[][] parity = Kind.DIRECT.encode(theirs.encoder, data);
      for (Kind kind : Kind.values()) {
        assertArrayEquals(kind.name(), parity, kind.encode(ours.encoder, data));
      }
      byte[][] shards = Codes.join(data, parity);
      for (int[] lost : losses) {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        rebuildBoth(ours, theirs, kind, shards, lost, k);
      }
    }
    ours.release();
    theirs.release();
  }

  /** Hadoop's coders require data before parity. Ours takes any order. */
  private void rebuildBoth(Codes ours, Codes theirs, Kind kind, byte[][] shards, int[] lost, int k)
      throws IOException {
    byte[][] left = Codes.survivors(random, shards, lost, k);
    assertArrayEquals(Codes.pick(shards, lost), kind.decode(theirs.decoder, left, lost));
    int[] shuffled = shuffle(lost);
    assertArrayEquals(kind.name(), Codes.pick(shards, shuffled),
        kind.decode(ours.decoder, left, shuffled));
    byte[][] more = Codes.survivors(random, shards, lost, shards.length - lost.length);
    assertArrayEquals(kind.name(), Codes.pick(shards, lost),
        kind.decode(ours.decoder, more, lost));
    decoded += 3;
    bytes += 3L * k * Kind.length(left);
  }

  private int[] shuffle(int[] numbers) {
    List<Integer> list = new ArrayList<>();
    for (int each : numbers) {
      list.add(each);
    }
    Collections.shuffle(list, random);
    return list.stream().mapToInt(i -> i).toArray();
  }

  private List<int[]> some(List<int[]> losses, int count) {
    List<int[]> chosen = new ArrayList<>(losses);
    Collections.shuffle(chosen, random);
    return chosen.subList(0, Math.min(count, chosen.size()));
  }

  private int[] randomLosses(int count, int most) {
    return random.ints(0, count).distinct().limit(1 + random.nextInt(most)).sorted().toArray();
  }
}
