// SPDX-License-Identifier: BSD-3-Clause
package org.apache.hadoop.io.erasurecode.rawcoder;

import java.util.Arrays;
import java.util.Collection;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import permxor.hadoop.RSPermxorRawErasureCoderFactory;
import permxor.hadoop.XORPermxorRawErasureCoderFactory;

/** Runs Hadoop's tests of the check that datanodes make of a reconstruction, on our coders. */
@RunWith(Parameterized.class)
public class TestPermxorDecodingValidator extends TestDecodingValidator {

  @Parameterized.Parameters
  public static Collection<Object[]> data() {
    return Arrays.asList(new Object[][] {
        {RSPermxorRawErasureCoderFactory.class, 6, 3, new int[] {1}, new int[] {}},
        {RSPermxorRawErasureCoderFactory.class, 6, 3, new int[] {3}, new int[] {0}},
        {RSPermxorRawErasureCoderFactory.class, 6, 3, new int[] {2, 4}, new int[] {1}},
        {RSPermxorRawErasureCoderFactory.class, 10, 4, new int[] {0, 9}, new int[] {0, 3}},
        {XORPermxorRawErasureCoderFactory.class, 10, 1, new int[] {0}, new int[] {}},
    });
  }

  public TestPermxorDecodingValidator(Class<? extends RawErasureCoderFactory> factory,
      int dataUnits, int parityUnits, int[] erasedData, int[] erasedParity) {
    super(factory, dataUnits, parityUnits, erasedData, erasedParity);
  }
}
