// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Loads libpermxor_jni.so, once. The jar has it for several processors, and the system property
 * os.arch chooses. If the jar has none for this machine, or if it cannot be loaded, a library on
 * java.library.path is taken.
 */
public final class Library {

  private static final String NAME = "permxor_jni";
  private static final List<String> NOTES = new ArrayList<>();

  /** Why the library could not be loaded, or null. */
  private static final Throwable FAILURE = load();

  private Library() {
  }

  /** Returns the version and the kernel set that is in use, as in "permxor 0.1.0, avx2". */
  public static String describe() {
    require();
    return Native.describe();
  }

  /** Returns why the library cannot be used, or null if it can. */
  public static Throwable failure() {
    return FAILURE;
  }

  /** Returns what did not work on the way to a library, as sentences for a log. */
  public static List<String> notes() {
    return Collections.unmodifiableList(NOTES);
  }

  /** Throws an error if the library cannot be used. */
  static void require() {
    if (FAILURE != null) {
      Error error = new UnsatisfiedLinkError("permxor: " + FAILURE.getMessage());
      error.initCause(FAILURE);
      throw error;
    }
  }

  private static Throwable load() {
    try {
      loadAny();
      int found = Native.interfaceNumber();
      if (found != Native.INTERFACE) {
        throw new UnsatisfiedLinkError("the native library has interface " + found + ", not "
            + Native.INTERFACE);
      }
      return null;
    } catch (LinkageError | RuntimeException e) {
      return e;
    }
  }

  private static void loadAny() {
    String resource = "/native/linux-" + System.getProperty("os.arch") + "/lib" + NAME + ".so";
    try (InputStream library = Library.class.getResourceAsStream(resource)) {
      if (library != null) {
        loadCopy(library, file -> System.load(file.toString()));
        return;
      }
      NOTES.add("The jar has no " + resource + ".");
    } catch (IOException | UnsatisfiedLinkError | RuntimeException e) {
      // For example, the system may forbid to execute files in the temporary folder, or a
      // security manager may forbid to make them.
      NOTES.add(resource + " of the jar cannot be loaded: " + e);
    }
    System.loadLibrary(NAME);
  }

  /** Something that loads a file. */
  interface Loader {
    void load(Path file);
  }

  /**
   * Loads a copy in a folder that only the user can access. The file is no longer needed once
   * it is loaded.
   */
  static void loadCopy(InputStream library, Loader loader) throws IOException {
    Path folder = Files.createTempDirectory("permxor",
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path file = folder.resolve("lib" + NAME + ".so");
    try {
      Files.copy(library, file);
      loader.load(file);
    } finally {
      cleanUp(file, folder);
    }
  }

  /**
   * Deletes the copy. On NFS, a file that is in use remains under another name until the process
   * ends, so the folder cannot be deleted. That must not make a library unusable which is loaded.
   */
  private static void cleanUp(Path file, Path folder) {
    try {
      Files.deleteIfExists(file);
      Files.delete(folder);
    } catch (IOException e) {
      NOTES.add("The folder of the native library remains: " + e);
    }
  }
}
