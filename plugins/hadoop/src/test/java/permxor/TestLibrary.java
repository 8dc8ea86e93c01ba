// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.Test;

/** How the native library is loaded. */
public class TestLibrary {

  private static ByteArrayInputStream bytes() {
    return new ByteArrayInputStream(new byte[] {1, 2, 3});
  }

  @Test
  public void testDescribe() {
    assertNull(Library.failure());
    assertTrue(Library.describe(), Library.describe().matches("permxor \\d+\\.\\d+\\.\\d+, \\w+"));
  }

  @Test
  public void testCopy() throws IOException {
    Path[] loaded = new Path[1];
    Library.loadCopy(bytes(), file -> {
      loaded[0] = file;
      try {
        assertEquals(3, Files.size(file));
        assertEquals("[OWNER_EXECUTE, OWNER_READ, OWNER_WRITE]", new java.util.TreeSet<>(
            java.util.Arrays.asList(Files.getPosixFilePermissions(file.getParent()).stream()
                .map(Enum::name).toArray(String[]::new))).toString());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    assertFalse(Files.exists(loaded[0].getParent()));
  }

  /** On NFS, a file in use stays in its folder under another name when it is deleted. */
  @Test
  public void testFolderThatCannotBeDeleted() throws IOException {
    Path[] loaded = new Path[1];
    int notes = Library.notes().size();
    Library.loadCopy(bytes(), file -> {
      loaded[0] = file;
      try {
        Files.createFile(file.resolveSibling(".nfs0001"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    assertFalse(Files.exists(loaded[0]));
    assertEquals(notes + 1, Library.notes().size());
    Files.delete(loaded[0].resolveSibling(".nfs0001"));
    Files.delete(loaded[0].getParent());
  }

  /** A file that cannot be loaded is still an error, and is deleted. */
  @Test
  public void testFailureToLoad() {
    Path[] loaded = new Path[1];
    assertThrows(UnsatisfiedLinkError.class, () -> Library.loadCopy(bytes(), file -> {
      loaded[0] = file;
      System.load(file.toString());
    }));
    assertFalse(Files.exists(loaded[0].getParent()));
  }
}
