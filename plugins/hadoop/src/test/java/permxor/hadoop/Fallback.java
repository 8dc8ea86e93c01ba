// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.erasurecode.CodecUtil;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;

/** Prints which coders Hadoop takes according to core-site.xml, after they have coded something. */
public final class Fallback {

  private Fallback() {
  }

  public static void main(String[] args) throws Exception {
    Logger.getLogger(CodecUtil.class).setLevel(Level.DEBUG);
    Configuration conf = new Configuration();
    if (args.length > 0) {
      conf.set(args[0], args[1]);
    }
    for (String codec : new String[] {"rs", "xor"}) {
      ErasureCoderOptions options = new ErasureCoderOptions(4, 1);
      RawErasureEncoder encoder = CodecUtil.createRawEncoder(conf, codec, options);
      RawErasureDecoder decoder = CodecUtil.createRawDecoder(conf, codec, options);
      byte[][] data = {{1}, {2}, {3}, {4}};
      byte[][] parity = new byte[1][1];
      encoder.encode(data, parity);
      byte[][] rebuilt = new byte[1][1];
      decoder.decode(new byte[][] {null, data[1], data[2], data[3], parity[0]}, new int[] {0},
          rebuilt);
      if (!Arrays.equals(data[0], rebuilt[0])) {
        throw new AssertionError(codec);
      }
      System.out.println(codec + ": " + encoder.getClass().getSimpleName() + " "
          + decoder.getClass().getSimpleName());
    }
  }
}
