// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.SystemErasureCodingPolicies;
import org.apache.hadoop.hdfs.tools.DFSck;
import org.apache.hadoop.io.erasurecode.CodecUtil;

/**
 * Leaves the blocks of files of all of HDFS's policies: BlockGroups FOLDER.
 *
 * <p>Hadoop's own coders in Java write them. FOLDER gets the folders of the datanodes, and the file
 * "files" with the output of hdfs fsck.
 */
public final class BlockGroups {

  private static final int MEGA = 1 << 20;
  private static final int DATANODES = 14;

  private BlockGroups() {
  }

  private static Configuration configuration() {
    Configuration conf = new HdfsConfiguration();
    conf.set(CodecUtil.IO_ERASURECODE_CODEC_RS_RAWCODERS_KEY, "rs_java");
    conf.set(CodecUtil.IO_ERASURECODE_CODEC_XOR_RAWCODERS_KEY, "xor_java");
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 2 * MEGA);
    return conf;
  }

  private static void write(DistributedFileSystem files, Path path, int length)
      throws IOException {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    try (OutputStream out = files.create(path)) {
      out.write(bytes);
    }
  }

  /** The last file has two block groups, and the others one. */
  private static void writeAll(DistributedFileSystem files, ErasureCodingPolicy policy)
      throws IOException {
    int stripe = policy.getNumDataUnits() * MEGA;
    Path folder = new Path("/" + policy.getName());
    files.mkdirs(folder);
    files.enableErasureCodingPolicy(policy.getName());
    files.setErasureCodingPolicy(folder, policy.getName());
    int[] lengths = {1, MEGA, MEGA + 5, stripe, stripe + MEGA / 2 + 1, 2 * stripe + MEGA + 77};
    for (int length : lengths) {
      write(files, new Path(folder, length + " bytes, in a file"), length);
    }
  }

  public static void main(String[] args) throws Exception {
    File folder = new File(args[0]);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(configuration(), folder)
            .numDataNodes(DATANODES).storagesPerDatanode(1).build();
        PrintStream out = new PrintStream(new File(folder, "files"))) {
      cluster.waitActive();
      DistributedFileSystem files = cluster.getFileSystem();
      write(files, new Path("/replicated"), MEGA);
      for (ErasureCodingPolicy policy : SystemErasureCodingPolicies.getPolicies()) {
        writeAll(files, policy);
      }
      new DFSck(cluster.getConfiguration(0), out).run(
          new String[] {"/", "-files", "-blocks"});
    }
    // At an ordinary exit, MiniDFSCluster would delete its folders.
    Runtime.getRuntime().halt(0);
  }
}
