// SPDX-License-Identifier: BSD-3-Clause
package permxor;

import java.util.stream.IntStream;

/**
 * Arithmetic in GF(2^8) = GF(2)[x]/(x^8+x^4+x^3+x^2+1), bit by bit, and the matrices by their
 * formulas. The tests judge by these, and not by the library.
 */
final class Field {

  private Field() {
  }

  static int times(int a, int b) {
    int product = 0;
    for (int bit = 0; bit < 8; bit++) {
      product ^= (b >> bit & 1) * a << bit;
    }
    for (int bit = 14; bit >= 8; bit--) {
      product ^= (product >> bit & 1) * 0x11d << (bit - 8);
    }
    return product;
  }

  /** Returns a to the n; 0 to the 0 is 1. */
  static int power(int a, int n) {
    int result = 1;
    for (int i = 0; i < n; i++) {
      result = times(result, a);
    }
    return result;
  }

  static int inverse(int a) {
    return IntStream.range(1, 256).filter(b -> times(a, b) == 1).findFirst().getAsInt();
  }

  /** Returns the rows 2^(r*j). */
  static int[][] isalVandermonde(int k, int m) {
    int[][] rows = new int[m][k];
    for (int r = 0; r < m; r++) {
      for (int j = 0; j < k; j++) {
        rows[r][j] = power(2, r * j);
      }
    }
    return rows;
  }

  /** Returns the rows 1/((k+r) xor j). */
  static int[][] cauchy(int k, int m) {
    int[][] rows = new int[m][k];
    for (int r = 0; r < m; r++) {
      for (int j = 0; j < k; j++) {
        rows[r][j] = inverse(k + r ^ j);
      }
    }
    return rows;
  }

  /**
   * Returns the last m rows of V * T^-1, where V has the k+m rows i^j, and T is its first k rows.
   * A row x of the result solves x * T = v for a row v of V.
   */
  static int[][] systematicVandermonde(int k, int m) {
    int[][] top = new int[k][k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        top[i][j] = power(i, j);
      }
    }
    int[][] inverted = invert(top);
    int[][] rows = new int[m][k];
    for (int r = 0; r < m; r++) {
      for (int j = 0; j < k; j++) {
        for (int i = 0; i < k; i++) {
          rows[r][j] ^= times(power(k + r, i), inverted[i][j]);
        }
      }
    }
    return rows;
  }

  /** Inverts a matrix by Gauss-Jordan elimination of the matrix beside the identity. */
  private static int[][] invert(int[][] matrix) {
    int n = matrix.length;
    int[][] wide = new int[n][2 * n];
    for (int i = 0; i < n; i++) {
      System.arraycopy(matrix[i], 0, wide[i], 0, n);
      wide[i][n + i] = 1;
    }
    for (int column = 0; column < n; column++) {
      int pivot = column;
      while (wide[pivot][column] == 0) {
        pivot++;
      }
      int[] row = wide[pivot];
      wide[pivot] = wide[column];
      wide[column] = row;
      int scale = inverse(row[column]);
      for (int j = 0; j < 2 * n; j++) {
        row[j] = times(row[j], scale);
      }
      for (int i = 0; i < n; i++) {
        int factor = i == column ? 0 : wide[i][column];
        for (int j = 0; factor != 0 && j < 2 * n; j++) {
          wide[i][j] ^= times(factor, row[j]);
        }
      }
    }
    int[][] inverted = new int[n][n];
    for (int i = 0; i < n; i++) {
      System.arraycopy(wide[i], n, inverted[i], 0, n);
    }
    return inverted;
  }

  /** Returns the parity of the data. */
  static byte[][] encode(int[][] rows, byte[][] data) {
    byte[][] parity = new byte[rows.length][data[0].length];
    for (int r = 0; r < rows.length; r++) {
      for (int j = 0; j < data.length; j++) {
        for (int i = 0; i < data[j].length; i++) {
          parity[r][i] ^= (byte) times(rows[r][j], data[j][i] & 0xff);
        }
      }
    }
    return parity;
  }
}
