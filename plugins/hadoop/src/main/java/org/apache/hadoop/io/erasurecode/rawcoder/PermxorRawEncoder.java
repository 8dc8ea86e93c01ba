// SPDX-License-Identifier: BSD-3-Clause
package org.apache.hadoop.io.erasurecode.rawcoder;

import java.io.IOException;
import org.apache.hadoop.io.erasurecode.ErasureCoderOptions;
import permxor.hadoop.NativeCode;

/**
 * An encoder over libpermxor. It is in this package because Hadoop's encoding states are
 * private to the package.
 */
public final class PermxorRawEncoder extends RawErasureEncoder {

  private final NativeCode code;

  public PermxorRawEncoder(ErasureCoderOptions options, NativeCode code) {
    super(options);
    this.code = code;
  }

  @Override
  protected void doEncode(ByteBufferEncodingState state) throws IOException {
    code.encode(state.inputs, state.outputs);
  }

  @Override
  protected void doEncode(ByteArrayEncodingState state) throws IOException {
    code.encode(state.encodeLength, state.inputs, state.inputOffsets, state.outputs,
        state.outputOffsets);
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
