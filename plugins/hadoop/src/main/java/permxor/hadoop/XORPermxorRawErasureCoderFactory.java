// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import org.apache.hadoop.io.erasurecode.ErasureCodeConstants;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import org.apache.hadoop.io.erasurecode.rawcoder.PermxorRawDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.PermxorRawEncoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureCoderFactory;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureDecoder;
import org.apache.hadoop.io.erasurecode.rawcoder.RawErasureEncoder;

/** Makes XOR coders over libpermxor, which write the same bytes as Hadoop's own. */
public class XORPermxorRawErasureCoderFactory implements RawErasureCoderFactory {

  /**
   * The name does not contain "native", because io.erasurecode.codec.native.enabled would then
   * apply to it.
   */
  public static final String CODER_NAME = "xor_permxor";

  @Override
  public RawErasureEncoder createEncoder(ErasureCoderOptions options) {
    return new PermxorRawEncoder(options, code(options));
  }

  @Override
  public RawErasureDecoder createDecoder(ErasureCoderOptions options) {
    return new PermxorRawDecoder(options, code(options));
  }

  @Override
  public String getCoderName() {
    return CODER_NAME;
  }

  @Override
  public String getCodecName() {
    return ErasureCodeConstants.XOR_CODEC_NAME;
  }

  private static NativeCode code(ErasureCoderOptions options) {
    return NativeCode.xor(options.getNumDataUnits(), options.getNumParityUnits());
  }
}
