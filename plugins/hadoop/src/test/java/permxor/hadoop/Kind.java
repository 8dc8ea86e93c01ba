// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/**
 * Ways to pass shards to a coder. Each call also checks that inputs do not change, that the
 * positions of inputs advance and those of outputs do not, and that nothing around an output is
 * written.
 */
enum Kind {
  DIRECT(true, 0), DIRECT_AT_5(true, 5), HEAP(false, 0), HEAP_AT_13(false, 13), ARRAYS(false, 0) {
    @Override
    byte[][] encode(RawErasureEncoder encoder, byte[][] data) throws IOException {
      byte[][] inputs = copy(data);
      byte[][] outputs = new byte[encoder.getNumParityUnits()][data[0].length];
      fill(outputs);
      encoder.encode(inputs, outputs);
      assertArrayEquals(data, inputs);
      return outputs;
    }

    @Override
    byte[][] decode(RawErasureDecoder decoder, byte[][] shards, int[] erased) throws IOException {
      byte[][] inputs = copy(shards);
      byte[][] outputs = new byte[erased.length][length(shards)];
      fill(outputs);
      decoder.decode(inputs, erased, outputs);
      assertArrayEquals(shards, inputs);
      return outputs;
    }
  };

  private static final byte UNTOUCHED = 0x5a;
  private static final int AFTER = 9;

  private final boolean direct;
  private final int before;

  Kind(boolean direct, int before) {
    this.direct = direct;
    this.before = before;
  }

  byte[][] encode(RawErasureEncoder encoder, byte[][] data) throws IOException {
    ByteBuffer[] inputs = buffers(data);
    ByteBuffer[] outputs = buffers(new byte[encoder.getNumParityUnits()][data[0].length]);
    encoder.encode(inputs, outputs);
    checkInputs(data, inputs);
    return results(outputs, data[0].length);
  }

  byte[][] decode(RawErasureDecoder decoder, byte[][] shards, int[] erased) throws IOException {
    ByteBuffer[] inputs = buffers(shards);
    ByteBuffer[] outputs = buffers(new byte[erased.length][length(shards)]);
    decoder.decode(inputs, erased, outputs);
    checkInputs(shards, inputs);
    return results(outputs, length(shards));
  }

  /** Returns the length of the shards that are there. */
  static int length(byte[][] shards) {
    return Arrays.stream(shards).filter(shard -> shard != null).findFirst().get().length;
  }

  private static byte[][] copy(byte[][] shards) {
    return Arrays.stream(shards).map(shard -> shard == null ? null : shard.clone())
        .toArray(byte[][]::new);
  }

  private static void fill(byte[][] shards) {
    for (byte[] shard : shards) {
      Arrays.fill(shard, UNTOUCHED);
    }
  }

  /** Returns buffers with these contents. Buffers with odd numbers are slices of larger ones. */
  private ByteBuffer[] buffers(byte[][] contents) {
    ByteBuffer[] buffers = new ByteBuffer[contents.length];
    for (int i = 0; i < contents.length; i++) {
      if (contents[i] != null) {
        buffers[i] = buffer(contents[i], i % 2 == 1 ? 3 * before : 0);
      }
    }
    return buffers;
  }

  private ByteBuffer buffer(byte[] content, int sliced) {
    int size = sliced + before + content.length + AFTER;
    ByteBuffer whole = direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
    while (whole.hasRemaining()) {
      whole.put(UNTOUCHED);
    }
    whole.position(sliced);
    ByteBuffer buffer = whole.slice();
    buffer.position(before);
    buffer.put(content);
    buffer.limit(buffer.position());
    buffer.position(before);
    return buffer;
  }

  private void checkInputs(byte[][] contents, ByteBuffer[] inputs) {
    for (int i = 0; i < contents.length; i++) {
      if (contents[i] != null) {
        assertEquals(0, inputs[i].remaining());
        inputs[i].position(before);
        assertArrayEquals(contents[i], take(inputs[i], contents[i].length));
      }
    }
  }

  private byte[][] results(ByteBuffer[] outputs, int length) {
    byte[][] results = new byte[outputs.length][];
    for (int i = 0; i < outputs.length; i++) {
      assertEquals(before, outputs[i].position());
      results[i] = take(outputs[i], length);
      outputs[i].clear();
      checkUntouched(take(outputs[i], before));
      outputs[i].position(before + length);
      checkUntouched(take(outputs[i], AFTER));
    }
    return results;
  }

  private static void checkUntouched(byte[] bytes) {
    for (byte each : bytes) {
      assertEquals(UNTOUCHED, each);
    }
  }

  private static byte[] take(ByteBuffer buffer, int count) {
    byte[] bytes = new byte[count];
    buffer.get(bytes);
    return bytes;
  }
}
