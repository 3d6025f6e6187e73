package io.shardmark.loader.tpcc;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.shardmark.loader.data.RowWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Random strings of TPC-C 4.3.2, made in a buffer that is used again and again. Nine tenths of the
 * population's bytes come from here, so eight characters are made from one random number: four
 * look-ups of two characters each, one store.
 */
final class RandomText {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int LETTERS = 52;
  private static final byte[] ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".getBytes(US_ASCII);
  private static final int PAIRS = ALPHABET.length * ALPHABET.length;
  private static final short[] ALPHABET_PAIRS = pairs();
  private static final long LOW_32 = 0xFFFF_FFFFL;
  private static final byte[] ORIGINAL = "ORIGINAL".getBytes(US_ASCII);
  private static final byte[] ZIP_TAIL = "11111".getBytes(US_ASCII);

  private static final int LONGEST = 500;

  private final BlockRandom random;
  // Characters are made eight at a time, so up to seven run over the end.
  private final byte[] buffer = new byte[LONGEST + Long.BYTES];

  RandomText(BlockRandom random) {
    this.random = random;
  }

  /** TPC-C 4.3.2.2, "random a-string [x .. y]"; the first character is a letter. */
  void alphanumeric(RowWriter out, int shortest, int longest) {
    out.text(buffer, 0, fill(shortest, longest));
  }

  /**
   * TPC-C 4.3.3.1, I_DATA and S_DATA: an a-string [26 .. 50]; one in ten, drawn at random, holds
   * ORIGINAL from a random position on.
   */
  void data(RowWriter out) {
    int length = fill(26, 50);
    if (random.uniform(1, 10) == 1) {
      int at = random.uniform(0, length - ORIGINAL.length);
      System.arraycopy(ORIGINAL, 0, buffer, at, ORIGINAL.length);
    }
    out.text(buffer, 0, length);
  }

  /** TPC-C 4.3.2.2, "random n-string": digits only. */
  void digits(RowWriter out, int length) {
    fillDigits(length);
    out.text(buffer, 0, length);
  }

  /** TPC-C 4.3.2.7: a zip code is four random digits and 11111. */
  void zip(RowWriter out) {
    fillDigits(4);
    System.arraycopy(ZIP_TAIL, 0, buffer, 4, ZIP_TAIL.length);
    out.text(buffer, 0, 4 + ZIP_TAIL.length);
  }

  /** A state: two letters (TPC-C 4.3.3.1 asks for an a-string of 2), capitals as BenchmarkSQL. */
  void state(RowWriter out) {
    buffer[0] = (byte) random.uniform('A', 'Z');
    buffer[1] = (byte) random.uniform('A', 'Z');
    out.text(buffer, 0, 2);
  }

  private int fill(int shortest, int longest) {
    long draw = random.nextLong();
    int length = shortest + (int) (((draw >>> 32) * (longest - shortest + 1)) >>> 32);
    for (int at = 0; at < length; at += Long.BYTES) {
      long bits = random.nextLong();
      long first = (bits & LOW_32) * PAIRS;
      long second = (first & LOW_32) * PAIRS;
      long third = (bits >>> 32) * PAIRS;
      long fourth = (third & LOW_32) * PAIRS;
      LONG.set(
          buffer, at, pair(first) | pair(second) << 16 | pair(third) << 32 | pair(fourth) << 48);
    }
    buffer[0] = ALPHABET[(int) (((draw & LOW_32) * LETTERS) >>> 32)];
    return length;
  }

  /** The two characters that the integer part of a 32.32 fixed-point number chooses. */
  private static long pair(long fixedPoint) {
    return ALPHABET_PAIRS[(int) (fixedPoint >>> 32)];
  }

  private void fillDigits(int length) {
    for (int i = 0; i < length; i++) {
      buffer[i] = (byte) random.uniform('0', '9');
    }
  }

  private static short[] pairs() {
    short[] pairs = new short[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
      // ASCII: the sign bit is never set, so that widening to long needs no mask.
      pairs[i] =
          (short) (ALPHABET[i / ALPHABET.length] | ALPHABET[i % ALPHABET.length] << Byte.SIZE);
    }
    return pairs;
  }
}
