// SPDX-License-Identifier: BSD-3-Clause
package org.apache.hadoop.io.erasurecode.rawcoder;

import java.io.IOException;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import permxor.hadoop.NativeCode;

/**
 * A decoder over libpermxor. It is in this package because Hadoop's decoding states are
 * private to the package.
 */
public final class PermxorRawDecoder extends RawErasureDecoder {

  private final NativeCode code;

  public PermxorRawDecoder(ErasureCoderOptions options, NativeCode code) {
    super(options);
    this.code = code;
  }

  @Override
  protected void doDecode(ByteBufferDecodingState state) throws IOException {
    code.decode(state.inputs, state.erasedIndexes, state.outputs);
  }

  @Override
  protected void doDecode(ByteArrayDecodingState state) throws IOException {
    code.decode(state.decodeLength, state.inputs, state.inputOffsets, state.erasedIndexes,
        state.outputs, state.outputOffsets);
  }

  /** Returns true, because direct buffers are not copied. */
  @Override
  public boolean preferDirectBuffer() {
    return true;
  }

  @Override
  public void release() {
    code.close();
  }
}
