// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** The things that tests of coders need: an encoder and a decoder, data, losses. */
final class Codes {

  final RawErasureEncoder encoder;
  final RawErasureDecoder decoder;

  Codes(RawErasureCoderFactory factory, int dataUnits, int parityUnits) {
    ErasureCoderOptions options = new ErasureCoderOptions(dataUnits, parityUnits);
    encoder = factory.createEncoder(options);
    decoder = factory.createDecoder(options);
  }

  void release() {
    encoder.release();
    decoder.release();
  }

  static byte[][] randomData(Random random, int count, int length) {
    byte[][] data = new byte[count][length];
    for (byte[] shard : data) {
      random.nextBytes(shard);
    }
    return data;
  }

  static byte[][] join(byte[][] data, byte[][] parity) {
    byte[][] all = new byte[data.length + parity.length][];
    System.arraycopy(data, 0, all, 0, data.length);
    System.arraycopy(parity, 0, all, data.length, parity.length);
    return all;
  }

  /** Returns every set of 1 to `most` of the numbers below `count`, in ascending order. */
  static List<int[]> losses(int count, int most) {
    List<int[]> sets = new ArrayList<>();
    for (int bits = 1; bits < 1 << count; bits++) {
      if (Integer.bitCount(bits) <= most) {
        int set = bits;
        sets.add(IntStream.range(0, count).filter(i -> (set >> i & 1) == 1).toArray());
      }
    }
    return sets;
  }

  /**
   * Returns the shards without the lost ones, at most `keep` of them. It leaves out random shards.
   */
  static byte[][] survivors(Random random, byte[][] shards, int[] lost, int keep) {
    byte[][] left = shards.clone();
    for (int each : lost) {
      left[each] = null;
    }
    int excess = shards.length - lost.length - keep;
    while (excess > 0) {
      int i = random.nextInt(left.length);
      if (left[i] != null) {
        left[i] = null;
        excess--;
      }
    }
    return left;
  }

  static byte[][] pick(byte[][] shards, int[] numbers) {
    return IntStream.of(numbers).mapToObj(i -> shards[i]).toArray(byte[][]::new);
  }
}
