// SPDX-License-Identifier: BSD-3-Clause
package org.apache.hadoop.io.erasurecode.rawcoder;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.io.erasurecode.ErasureCodeNative;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import permxor.hadoop.RSPermxorRawErasureCoderFactory;

/**
 * Measures our coder, Hadoop's coder in Java, and Hadoop's coder over ISA-L if that is loaded.
 *
 * <p>It first runs Hadoop's RawErasureCoderBenchmark. The list of coders there is fixed, so ours
 * takes the place of the coder that does nothing. That benchmark has only RS-6-3, and each coder
 * chooses its kind of buffers. Then the same loop runs over both kinds of buffers, for RS-6-3 and
 * RS-10-4, by turns. This loop loses data where Hadoop's loop loses parity.
 */
public final class PermxorBenchmark {

  private static final int MEGABYTES = 256;
  private static final int CHUNK = 1 << 20;
  private static final int BUFFER = 126 << 20;
  private static final int ROUNDS = 5;

  private final int k;
  private final int m;
  private final Map<String, Double> best = new LinkedHashMap<>();

  private PermxorBenchmark(int k, int m) {
    this.k = k;
    this.m = m;
  }

  private static Map<String, RawErasureCoderFactory> coders() {
    Map<String, RawErasureCoderFactory> coders = new LinkedHashMap<>();
    coders.put("permxor", new RSPermxorRawErasureCoderFactory());
    coders.put("Java", new RSRawErasureCoderFactory());
    if (ErasureCodeNative.isNativeCodeLoaded()) {
      coders.put("ISA-L", new NativeRSRawErasureCoderFactory());
    }
    return coders;
  }

  // ------------------------------------------------------------ Hadoop's benchmark

  private static Object field(Class<?> owner, String name, Object object) throws Exception {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(object);
  }

  /** Needs --add-opens java.base/java.util=ALL-UNNAMED, because the list is unmodifiable. */
  @SuppressWarnings("unchecked")
  private static void putOursInPlaceOfDummy() throws Exception {
    Object makers = field(RawErasureCoderBenchmark.class, "CODER_MAKERS", null);
    List<RawErasureCoderFactory> list = (List<RawErasureCoderFactory>) field(
        Class.forName("java.util.Collections$UnmodifiableList"), "list", makers);
    list.set(RawErasureCoderBenchmark.CODER.DUMMY_CODER.ordinal(),
        new RSPermxorRawErasureCoderFactory());
    Field name = RawErasureCoderBenchmark.CODER.class.getDeclaredField("name");
    name.setAccessible(true);
    name.set(RawErasureCoderBenchmark.CODER.DUMMY_CODER, "permxor");
  }

  /** Returns the throughput that Hadoop's benchmark prints, in MB/s. */
  private static double throughput(String operation, RawErasureCoderBenchmark.CODER coder)
      throws Exception {
    PrintStream console = System.out;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setOut(new PrintStream(said));
    try {
      RawErasureCoderBenchmark.performBench(operation, coder, 1, MEGABYTES, CHUNK >> 10);
    } finally {
      System.setOut(console);
    }
    return Double.parseDouble(
        said.toString().replaceAll("(?s).*Total throughput: ([0-9.]+) MB/s.*", "$1"));
  }

  private static void hadoopBenchmark() throws Exception {
    putOursInPlaceOfDummy();
    Map<String, RawErasureCoderBenchmark.CODER> coders = new LinkedHashMap<>();
    coders.put("permxor", RawErasureCoderBenchmark.CODER.DUMMY_CODER);
    coders.put("Java", RawErasureCoderBenchmark.CODER.RS_CODER);
    if (ErasureCodeNative.isNativeCodeLoaded()) {
      coders.put("ISA-L", RawErasureCoderBenchmark.CODER.ISAL_CODER);
    }
    Map<String, Double> best = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      for (Map.Entry<String, RawErasureCoderBenchmark.CODER> coder : coders.entrySet()) {
        for (String operation : new String[] {"encode", "decode"}) {
          best.merge(operation + " " + coder.getKey(),
              throughput(operation, coder.getValue()), Math::max);
        }
      }
    }
    report("RawErasureCoderBenchmark, RS-6-3, " + MEGABYTES + " MiB", best);
  }

  /** Prints MB of data per second, the best of all rounds. */
  private static void report(String what, Map<String, Double> best) {
    System.out.println(what + ", chunks of 1 MiB, best of " + ROUNDS);
    for (Map.Entry<String, Double> each : best.entrySet()) {
      double ours = best.get(each.getKey().replaceAll("Java|ISA-L", "permxor"));
      System.out.printf("  %-22s %8.0f MB/s   permxor is %.2f times as fast%n", each.getKey(),
          each.getValue(), ours / each.getValue());
    }
  }

  // ------------------------------------------------------------ its loop, widened

  private static ByteBuffer allocate(boolean direct, int size) {
    return direct ? ByteBuffer.allocateDirect(size) : ByteBuffer.allocate(size);
  }

  /** Returns as many stripes as the buffer holds. */
  private ByteBuffer testData(boolean direct) {
    byte[] bytes = new byte[BUFFER / (k * CHUNK) * k * CHUNK];
    new Random(1).nextBytes(bytes);
    ByteBuffer data = allocate(direct, bytes.length);
    data.put(bytes);
    data.flip();
    return data;
  }

  private interface Operation {
    void on(ByteBuffer[] inputs, ByteBuffer[] outputs) throws IOException;
  }

  private Operation encode(RawErasureCoderFactory factory) {
    RawErasureEncoder encoder = factory.createEncoder(new ErasureCoderOptions(k, m));
    return encoder::encode;
  }

  /** The first m units are lost. The contents of the other units do not matter. */
  private Operation decode(RawErasureCoderFactory factory) {
    RawErasureDecoder decoder = factory.createDecoder(new ErasureCoderOptions(k, m));
    int[] lost = IntStream.range(0, m).toArray();
    return (inputs, outputs) -> {
      ByteBuffer[] shards = new ByteBuffer[k + m];
      System.arraycopy(inputs, 0, shards, m, k);
      decoder.decode(shards, lost, outputs);
    };
  }

  /** Returns how many seconds an operation over the first `stripes` stripes of data takes. */
  private double time(Operation operation, ByteBuffer data, ByteBuffer[] outputs, int stripes)
      throws IOException {
    data.rewind();
    ByteBuffer[] inputs = new ByteBuffer[k];
    long began = System.nanoTime();
    for (int i = 0; i < stripes; i++) {
      for (ByteBuffer output : outputs) {
        output.clear();
      }
      for (int j = 0; j < k; j++) {
        data.limit(data.position() + CHUNK);
        inputs[j] = data.slice();
        data.position(data.limit());
        data.limit(data.capacity());
      }
      operation.on(inputs, outputs);
    }
    return (System.nanoTime() - began) / 1e9;
  }

  private void measure(String name, Operation operation, ByteBuffer data, int stripes)
      throws IOException {
    ByteBuffer[] outputs = new ByteBuffer[m];
    Arrays.setAll(outputs, i -> allocate(data.isDirect(), CHUNK));
    time(operation, data, outputs, 2);
    double megabytes = (double) stripes * k * CHUNK / 1e6;
    best.merge(name, megabytes / time(operation, data, outputs, stripes), Math::max);
  }

  private void run() throws IOException {
    int stripes = BUFFER / (k * CHUNK);
    for (boolean direct : new boolean[] {true, false}) {
      ByteBuffer data = testData(direct);
      for (int round = 0; round < ROUNDS; round++) {
        for (Map.Entry<String, RawErasureCoderFactory> coder : coders().entrySet()) {
          String name = coder.getKey() + (direct ? " direct" : " heap");
          measure("encode " + name, encode(coder.getValue()), data, stripes);
          measure("decode " + name, decode(coder.getValue()), data, stripes);
        }
      }
    }
    report("RS-" + k + "-" + m + ", " + (stripes * k) + " MiB", best);
  }

  public static void main(String[] args) throws Exception {
    System.out.println("ISA-L: " + ErasureCodeNative.getLibraryName());
    hadoopBenchmark();
    new PermxorBenchmark(6, 3).run();
    new PermxorBenchmark(10, 4).run();
    System.exit(0);
  }
}
