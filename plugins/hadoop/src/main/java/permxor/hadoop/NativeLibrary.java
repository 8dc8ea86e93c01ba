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
 * Loads libpermxor_jni.so, once: the one in the jar where that has one for this machine, else, or
 * where that cannot be loaded, one on java.library.path.
 */
final class NativeLibrary {

  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String NAME = "permxor_jni";

  /** Null: it is loaded. */
  private static final Throwable FAILURE = load();

  private NativeLibrary() {
  }

  /** Throws what makes Hadoop take the next coder of its list. */
  static void require() {
    if (FAILURE != null) {
      Error error = new UnsatisfiedLinkError("permxor: " + FAILURE.getMessage());
      error.initCause(FAILURE);
      throw error;
    }
  }

  /** Hadoop mentions a coder that it passes over at the level of debugging only. */
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
      // For instance, nothing in the folder for temporary files may be executed.
      LOG.warn("{} of the jar cannot be loaded: {}", resource, e.toString());
    }
    System.loadLibrary(NAME);
  }

  /** Through a folder that is the user's alone; the file is needed no longer once it is loaded. */
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
