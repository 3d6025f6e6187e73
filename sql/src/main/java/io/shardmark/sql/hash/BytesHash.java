package io.shardmark.sql.hash;

/**
 * {@code hash_bytes_extended} of PostgreSQL's {@code common/hashfn.c}: Bob Jenkins' lookup3 over
 * bytes, as {@code hashtextextended} uses it.
 */
final class BytesHash {
  private static final int BLOCK_BYTES = 12;

  private int a;
  private int b;
  private int c;

  private BytesHash(int length, long seed) {
    a = 0x9E3779B9 + length + 3923095;
    b = a;
    c = a;
    if (seed != 0) {
      a += (int) (seed >>> 32);
      b += (int) seed;
      mix();
    }
  }

  static long of(byte[] key, long seed) {
    BytesHash state = new BytesHash(key.length, seed);
    int position = 0;
    while (key.length - position >= BLOCK_BYTES) {
      state.a += word(key, position, 4);
      state.b += word(key, position + 4, 4);
      state.c += word(key, position + 8, 4);
      state.mix();
      position += BLOCK_BYTES;
    }
    state.tail(key, position);
    return state.finish();
  }

  /** {@code hash_bytes_uint32_extended}: of a number as of its four bytes, in the last place. */
  static long of(int key, long seed) {
    BytesHash state = new BytesHash(Integer.BYTES, seed);
    state.a += key;
    return state.finish();
  }

  /** Up to 11 bytes are left. The lowest byte of c is the length's: its bytes begin one higher. */
  private void tail(byte[] key, int position) {
    int left = key.length - position;
    a += word(key, position, Math.min(left, 4));
    b += word(key, position + 4, Math.min(Math.max(left - 4, 0), 4));
    c += word(key, position + 8, Math.max(left - 8, 0)) << 8;
  }

  private static int word(byte[] key, int position, int bytes) {
    int word = 0;
    for (int i = 0; i < bytes; i++) {
      word |= (key[position + i] & 0xFF) << (8 * i);
    }
    return word;
  }

  private void mix() {
    a = (a - c) ^ Integer.rotateLeft(c, 4);
    c += b;
    b = (b - a) ^ Integer.rotateLeft(a, 6);
    a += c;
    c = (c - b) ^ Integer.rotateLeft(b, 8);
    b += a;
    a = (a - c) ^ Integer.rotateLeft(c, 16);
    c += b;
    b = (b - a) ^ Integer.rotateLeft(a, 19);
    a += c;
    c = (c - b) ^ Integer.rotateLeft(b, 4);
    b += a;
  }

  private long finish() {
    c = (c ^ b) - Integer.rotateLeft(b, 14);
    a = (a ^ c) - Integer.rotateLeft(c, 11);
    b = (b ^ a) - Integer.rotateLeft(a, 25);
    c = (c ^ b) - Integer.rotateLeft(b, 16);
    a = (a ^ c) - Integer.rotateLeft(c, 4);
    b = (b ^ a) - Integer.rotateLeft(a, 14);
    c = (c ^ b) - Integer.rotateLeft(b, 24);
    return ((long) b << 32) | Integer.toUnsignedLong(c);
  }
}
