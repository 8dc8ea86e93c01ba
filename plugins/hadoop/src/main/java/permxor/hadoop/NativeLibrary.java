// SPDX-License-Identifier: BSD-3-Clause
package permxor.hadoop;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads libpermxor_jni.so, once. It takes the library in the jar if that has one for this
 * machine which can be loaded, and otherwise one on java.library.path.
 */
final class NativeLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String NAME = "permxor_jni";

  /** Why the library could not be loaded, or null. */
  private static final Throwable FAILURE = load();

  private NativeLibrary() {
  }

  /**
   * Throws the error that makes Hadoop take the next coder of its list if the library is not
   * loaded.
   */
  static void require() {
    if (FAILURE != null) {
      Error error = new UnsatisfiedLinkError("permxor: " + FAILURE.getMessage());
      error.initCause(FAILURE);
      throw error;
    }
  }

  /**
   * Loads the library, and returns the failure or null. The result is logged here, because
   * Hadoop mentions a coder that it passes over at the debug level only.
   */
  private static Throwable load() {
    try {
      loadAny();
      int found = NativeCode.interfaceNumber();
      if (found != NativeCode.INTERFACE) {
        throw new UnsatisfiedLinkError("the native library has interface " + found + ", not "
            + NativeCode.INTERFACE);
      }
      LOG.info("{}", NativeCode.describe());
      return null;
    } catch (LinkageError | RuntimeException e) {
      LOG.warn("The coders of permxor cannot be used: {}", e.toString());
      return e;
    }
  }

  private static void loadAny() {
    String resource = "/native/linux-" + System.getProperty("os.arch") + "/lib" + NAME + ".so";
    try (InputStream library = NativeLibrary.class.getResourceAsStream(resource)) {
      if (library != null) {
        loadCopy(library);
        return;
      }
    } catch (IOException | UnsatisfiedLinkError e) {
      // For example, the system may forbid to execute files in the temporary folder.
      LOG.warn("{} of the jar cannot be loaded: {}", resource, e.toString());
    }
    System.loadLibrary(NAME);
  }

  /**
   * Loads a copy in a folder that only the user can access. The file is no longer needed once
   * it is loaded.
   */
  private static void loadCopy(InputStream library) throws IOException {
    Path folder = Files.createTempDirectory("permxor",
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path file = folder.resolve("lib" + NAME + ".so");
    try {
      Files.copy(library, file);
      System.load(file.toString());
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }
}
