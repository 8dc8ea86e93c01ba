// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.Test;

/** Tests many coders, coders that are never released, and coders that threads share. */
public class TestLifetime {

  private static final int CODERS = 100_000;
  private static final int THREADS = 8;
  /** A coder holds more than 2 KiB, so a leak would show as 200 MiB. */
  private static final long LEAK_KIB = 32 << 10;

  private final RSPermxorRawErasureCoderFactory factory = new RSPermxorRawErasureCoderFactory();
  private final byte[][] data = Codes.randomData(new Random(7), 6, 50);

  private static long residentKib() throws IOException {
    try (Stream<String> lines = Files.lines(Paths.get("/proc/self/status"))) {
      return lines.filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).findFirst().getAsLong();
    }
  }

  /** Does the other operations of a coder, so that it also has a plan in its cache. */
  private Codes useOne() throws IOException {
    Codes codes = new Codes(factory, 6, 3);
    byte[][] parity = new byte[3][50];
    codes.encoder.encode(data, parity);
    byte[][] left = Codes.join(data, parity);
    left[1] = null;
    byte[][] rebuilt = new byte[1][50];
    codes.decoder.decode(left, new int[] {1}, rebuilt);
    assertArrayEquals(data[1], rebuilt[0]);
    return codes;
  }

  private void assertNoLeak(String what, boolean release) throws Exception {
    long before = 0;
    for (int i = 0; i < CODERS * 3 / 2; i++) {
      Codes codes = useOne();
      if (release) {
        codes.release();
      } else if (i % 1000 == 0) {
        System.gc();
        Thread.sleep(20);
      }
      if (i == CODERS / 2) {
        before = residentKib();
      }
    }
    long grown = residentKib() - before;
    System.out.println("said: " + CODERS + " coders " + what + ": " + grown + " KiB more");
    assertTrue(grown + " KiB", grown < LEAK_KIB);
  }

  @Test
  public void testReleased() throws Exception {
    assertNoLeak("released", true);
  }

  @Test
  public void testForgotten() throws Exception {
    assertNoLeak("forgotten", false);
  }

  private static void inThreads(Callable<Void> work) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<Void>> ends = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      ends.add(threads.submit(work));
    }
    for (Future<Void> end : ends) {
      end.get();
    }
    threads.shutdown();
  }

  @Test
  public void testSharedByThreads() throws Exception {
    Codes codes = new Codes(factory, 6, 3);
    byte[][] parity = Kind.ARRAYS.encode(codes.encoder, data);
    byte[][] shards = Codes.join(data, parity);
    List<int[]> losses = Codes.losses(9, 3);
    inThreads(() -> {
      for (int[] lost : losses) {
        for (Kind kind : Kind.values()) {
          assertArrayEquals(parity, kind.encode(codes.encoder, data));
          byte[][] left = Codes.survivors(new Random(1), shards, lost, 6);
          assertArrayEquals(Codes.pick(shards, lost), kind.decode(codes.decoder, left, lost));
        }
      }
      return null;
    });
    codes.release();
  }

  /** A thread that still uses a released coder gets the result or the exception. */
  @Test
  public void testReleasedUnderThreads() throws Exception {
    byte[][] longer = Codes.randomData(new Random(3), 6, 100_000);
    for (int i = 0; i < 20; i++) {
      Codes codes = new Codes(factory, 6, 3);
      byte[][] parity = Kind.ARRAYS.encode(codes.encoder, longer);
      Random pause = new Random(i);
      inThreads(() -> {
        try {
          for (int j = 0; j < 10; j++) {
            assertArrayEquals(parity, Kind.ARRAYS.encode(codes.encoder, longer));
            Thread.sleep(0, pause.nextInt(500_000));
            if (pause.nextInt(30) == 0) {
              codes.release();
            }
          }
        } catch (IOException e) {
          assertEquals("The coder or a buffer is closed", e.getMessage());
        }
        return null;
      });
      codes.release();
    }
  }

  /** The library's file and its folder must be deleted as soon as it is loaded. */
  @Test
  public void testNothingLeftBehind() throws IOException {
    new Codes(factory, 2, 1).release();
    try (Stream<Path> files = Files.list(Paths.get(System.getProperty("java.io.tmpdir")))) {
      assertEquals(0, files.filter(f -> f.getFileName().toString().startsWith("permxor")
          && Files.exists(f.resolve("libpermxor_jni.so"))).count());
    }
  }
}
