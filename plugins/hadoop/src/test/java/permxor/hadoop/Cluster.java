// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * Tests HDFS with only our coder: Cluster FOLDER MEGABYTES POLICY...
 *
 * <p>Of the k+m datanodes that hold a file, m are stopped, and the file is read. Then m new
 * datanodes are started. The namenode must have the lost blocks rebuilt there, with the same bytes.
 * Then m other datanodes are stopped. This leaves k units of every group, among them all that were
 * rebuilt. The file is read again.
 */
public final class Cluster implements AutoCloseable {

  private static final int BLOCK_SIZE = 8 << 20;
  private static final int TIMEOUT_MS = 120_000;
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/file");

  /** The number of coders made, by the kind of thread. */
  private static final Map<String, AtomicInteger> CODERS = new HashMap<>();

  private final ErasureCodingPolicy policy;
  private final MiniDFSCluster cluster;
  private final DistributedFileSystem files;
  private final int m;

  private Cluster(File folder, ErasureCodingPolicy policy) throws IOException {
    this.policy = policy;
    m = policy.getNumParityUnits();
    cluster = new MiniDFSCluster.Builder(configuration(), folder)
        .numDataNodes(policy.getNumDataUnits() + m).build();
    cluster.waitActive();
    files = cluster.getFileSystem();
    files.enableErasureCodingPolicy(policy.getName());
    files.setErasureCodingPolicy(new org.apache.hadoop.fs.Path("/"), policy.getName());
  }

  /**
   * Makes a namenode do at once what may otherwise take minutes. Datanodes check what they rebuild.
   */
  private static Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.set(CodecUtil.IO_ERASURECODE_CODEC_RS_RAWCODERS_KEY,
        RSPermxorRawErasureCoderFactory.CODER_NAME);
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, BLOCK_SIZE);
    conf.setInt(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 1);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_MAX_STREAMS_KEY, 20);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REPLICATION_STREAMS_HARD_LIMIT_KEY, 40);
    conf.setBoolean(DFSConfigKeys.DFS_DN_EC_RECONSTRUCTION_VALIDATION_KEY, true);
    return conf;
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }

  /** Counts the coders by the name of the thread without its numbers. */
  private static final class Count extends AppenderSkeleton {
    @Override
    protected void append(LoggingEvent event) {
      String kind = event.getThreadName().replaceAll("[^A-Za-z].*", "");
      CODERS.computeIfAbsent(kind, k -> new AtomicInteger()).incrementAndGet();
    }

    @Override
    public void close() {
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }
  }

  private static String hex(MessageDigest digest) {
    StringBuilder text = new StringBuilder();
    for (byte each : Arrays.copyOf(digest.digest(), 8)) {
      text.append(String.format("%02x", each));
    }
    return text.toString();
  }

  private String write(long length) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    Random random = new Random(policy.getId());
    byte[] piece = new byte[1 << 16];
    try (OutputStream out = files.create(FILE)) {
      for (long left = length; left > 0; left -= piece.length) {
        random.nextBytes(piece);
        int count = (int) Math.min(left, piece.length);
        digest.update(piece, 0, count);
        out.write(piece, 0, count);
      }
    }
    return hex(digest);
  }

  private String read() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    byte[] piece = new byte[1 << 20];
    try (InputStream in = files.open(FILE)) {
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        digest.update(piece, 0, count);
      }
    }
    return hex(digest);
  }

  /**
   * Stops datanodes. They stay in the cluster's list, because the cluster names folders by numbers.
   */
  private void stop(List<DataNode> nodes) throws Exception {
    for (DataNode node : nodes) {
      node.shutdown();
      cluster.setDataNodeDead(node.getDatanodeId());
    }
  }

  private static List<Path> folders(DataNode node) {
    return Stream.of(node.getConf().getTrimmedStrings(DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY))
        .map(volume -> Paths.get(volume.replaceFirst("^(\\[.*\\])?(file:)?", "")))
        .collect(Collectors.toList());
  }

  /** Returns the blocks of datanodes, by name. */
  private static Map<String, Path> blocks(List<DataNode> nodes) throws IOException {
    Map<String, Path> blocks = new HashMap<>();
    for (Path folder : nodes.stream().flatMap(node -> folders(node).stream())
        .collect(Collectors.toList())) {
      try (Stream<Path> walk = Files.walk(folder)) {
        for (Path file : walk.collect(Collectors.toList())) {
          if (file.getFileName().toString().matches("blk_-?[0-9]+")) {
            blocks.put(file.getFileName().toString(), file);
          }
        }
      }
    }
    return blocks;
  }

  private int missing() throws IOException {
    int missing = 0;
    LocatedBlocks located = files.getClient().getLocatedBlocks(FILE.toString(), 0, Long.MAX_VALUE);
    for (LocatedBlock group : located.getLocatedBlocks()) {
      int units = ((LocatedStripedBlock) group).getBlockIndices().length;
      missing += policy.getNumDataUnits() + m - units;
    }
    return missing;
  }

  private void awaitNothingMissing() throws Exception {
    long end = System.currentTimeMillis() + TIMEOUT_MS;
    while (missing() > 0) {
      if (System.currentTimeMillis() > end) {
        throw new TimeoutException(missing() + " blocks are still missing");
      }
      Thread.sleep(200);
    }
  }

  private String fsck() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new DFSck(cluster.getConfiguration(0), new PrintStream(bytes)).run(new String[] {"/"});
    String text = bytes.toString();
    return text.replaceAll("(?s).*Status: (\\w+).*Under-erasure-coded block groups:\\s*(\\d+).*",
        "$1, $2 groups incomplete");
  }

  private static void expect(Object expected, Object seen, String what) {
    if (!expected.equals(seen)) {
      throw new AssertionError(what + ": " + seen + ", not " + expected);
    }
  }

  private int compareBlocks(Map<String, Path> lost, Map<String, Path> rebuilt)
      throws IOException {
    expect(lost.keySet(), rebuilt.keySet(), "blocks rebuilt");
    for (Map.Entry<String, Path> block : lost.entrySet()) {
      expect(true, Arrays.equals(Files.readAllBytes(block.getValue()),
          Files.readAllBytes(rebuilt.get(block.getKey()))), block.getKey() + " is the same");
    }
    return lost.size();
  }

  private void run(long length) throws Exception {
    final int k = policy.getNumDataUnits();
    final long began = System.currentTimeMillis();
    String sum = write(length);
    expect("HEALTHY, 0 groups incomplete", fsck(), "fsck");
    expect(sum, read(), "checksum");

    List<DataNode> first = nodes(0);
    stop(first);
    expect(sum, read(), "checksum with " + m + " datanodes stopped");
    int decoders = count("StripedBlockReconstruction");

    cluster.startDataNodes(cluster.getConfiguration(0), m, true, null, null);
    awaitNothingMissing();
    expect("HEALTHY, 0 groups incomplete", fsck(), "fsck after reconstruction");
    decoders = count("StripedBlockReconstruction") - decoders;

    stop(nodes(m));
    expect(sum, read(), "checksum with " + m + " others stopped");
    int same = compareBlocks(blocks(first), blocks(nodes(k + m)));
    System.out.printf("said: %s: %d bytes, SHA-256 %s... as written, with %d datanodes stopped,"
        + " and with %d others after reconstruction of %d blocks, the same bytes; datanodes made"
        + " %d of our decoders; %.1f s%n", policy.getName(), length, sum, m, m, same, decoders,
        (System.currentTimeMillis() - began) / 1e3);
    if (same == 0 || decoders == 0) {
      throw new AssertionError("nothing was rebuilt by our decoder");
    }
  }

  /** Returns m datanodes. */
  private List<DataNode> nodes(int from) {
    return new ArrayList<>(cluster.getDataNodes().subList(from, from + m));
  }

  private static int count(String kind) {
    AtomicInteger count = CODERS.get(kind);
    return count == null ? 0 : count.get();
  }

  public static void main(String[] args) throws Exception {
    Logger log = Logger.getLogger(NativeCode.class);
    log.setLevel(Level.DEBUG);
    log.setAdditivity(false);
    log.addAppender(new Count());
    ErasureCoderOptions options = new ErasureCoderOptions(6, 3);
    System.out.println("said: coders: "
        + CodecUtil.createRawEncoder(configuration(), "rs", options).getClass().getName() + ", "
        + CodecUtil.createRawDecoder(configuration(), "rs", options).getClass().getName());
    long length = (Long.parseLong(args[1]) << 20) + 12345;
    for (String name : Arrays.asList(args).subList(2, args.length)) {
      try (Cluster cluster = new Cluster(new File(args[0], name),
          SystemErasureCodingPolicies.getPolicies().stream()
              .filter(policy -> policy.getName().equals(name)).findFirst().get())) {
        cluster.run(length);
      }
    }
    System.out.println("said: coders made, by thread: " + CODERS);
    System.exit(0);
  }
}
