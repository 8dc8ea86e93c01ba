// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import permxor.Library;

/** Logs, once, which native library is used, or why none is. */
final class NativeLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

  static {
    Library.notes().forEach(LOG::warn);
    if (Library.failure() == null) {
      LOG.info("{}", Library.describe());
    } else {
      // Hadoop mentions a coder that it passes over at the debug level only.
      LOG.warn("The coders of permxor cannot be used: {}", Library.failure().toString());
    }
  }

  private NativeLibrary() {
  }

  /** Makes sure that this is logged before a coder is made. */
  static void log() {
    // The static initializer has done it.
  }
}
