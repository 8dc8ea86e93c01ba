// SPDX-License-Identifier: BSD-3-Clause
package org.apache.hadoop.io.erasurecode.rawcoder;

import org.junit.Before;
import org.junit.Test;
import permxor.hadoop.RSPermxorRawErasureCoderFactory;

/** Runs Hadoop's tests of coders of the codec rs on ours. */
public class TestPermxorRSRawCoder extends TestRSRawCoderBase {

  @Before
  public void setUp() {
    encoderFactoryClass = RSPermxorRawErasureCoderFactory.class;
    decoderFactoryClass = RSPermxorRawErasureCoderFactory.class;
  }

  @Test
  public void testAfterRelease63() throws Exception {
    prepare(6, 3, null, null);
    testAfterRelease();
  }
}
