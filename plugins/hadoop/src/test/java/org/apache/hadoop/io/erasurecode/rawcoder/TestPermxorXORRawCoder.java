// SPDX-License-Identifier: BSD-3-Clause
package org.apache.hadoop.io.erasurecode.rawcoder;

import org.junit.Before;
import org.junit.Test;
import permxor.hadoop.XORPermxorRawErasureCoderFactory;

/** Runs Hadoop's tests of coders of the codec xor on ours. */
public class TestPermxorXORRawCoder extends TestXORRawCoderBase {

  @Before
  public void setUp() {
    encoderFactoryClass = XORPermxorRawErasureCoderFactory.class;
    decoderFactoryClass = XORPermxorRawErasureCoderFactory.class;
  }

  @Test
  public void testAfterRelease101() throws Exception {
    prepare(10, 1, new int[] {0}, new int[0]);
    testAfterRelease();
  }
}
