package io.shardmark.sql.hash;

import java.nio.charset.StandardCharsets;

/**
 * The hash by which PostgreSQL 11 and later picks a partition of {@code PARTITION BY HASH}: {@code
 * hashint4extended}, {@code hashint8extended} or {@code hashtextextended} of each column with the
 * partition seed, combined over the columns in their order, modulo the number of partitions. {@code
 * satisfies_hash_partition} on a server is the reference. Both integer types hash equal numbers
 * equally; a column that is null adds nothing.
 */
public final class PartitionHash {
  /** HASH_PARTITION_SEED of PostgreSQL's {@code partitioning/partbounds.h}. */
  static final long SEED = 0x7A5B22367996DCFDL;

  /** What {@code hash_combine64} adds: half of a golden ratio in bits. */
  private static final long COMBINE_CONSTANT = 0x49A0F4DD15E5A8E3L;

  private PartitionHash() {}

  /** The hash of a row whose partition key is one integer or bigint column. */
  public static long ofKey(long key) {
    return combine(0, hashInt8Extended(key, SEED));
  }

  /**
   * The hash of a row whose partition key is one text column of a deterministic collation, in a
   * database whose encoding is UTF8.
   */
  public static long ofText(String key) {
    return combine(0, BytesHash.of(key.getBytes(StandardCharsets.UTF_8), SEED));
  }

  /**
   * The hash of a row whose partition key is one column of a type such as uuid, hashed by bytes.
   */
  public static long ofBytes(byte[] key) {
    return combine(0, BytesHash.of(key, SEED));
  }

  /** The hash of a row whose partition key is one column that is null. */
  public static long ofNull() {
    return 0;
  }

  /**
   * The remainder that decides the partition: which {@code FOR VALUES WITH (MODULUS m, REMAINDER
   * r)} takes the row.
   *
   * @param rowHash from {@link #ofKey} and its like
   * @param modulus 1 or more
   * @return 0 to modulus - 1
   */
  public static int remainder(long rowHash, int modulus) {
    return (int) Long.remainderUnsigned(rowHash, modulus);
  }

  /** SQL function {@code hashint4extended}. */
  public static long hashInt4Extended(int key, long seed) {
    return BytesHash.of(key, seed);
  }

  /**
   * SQL function {@code hashint8extended}. The high half is folded into the low one so that a
   * number hashes as the same number in an integer column.
   */
  public static long hashInt8Extended(long key, long seed) {
    int low = (int) key;
    int high = (int) (key >>> 32);
    return hashInt4Extended(low ^ (key >= 0 ? high : ~high), seed);
  }

  private static long combine(long rowHash, long hash) {
    return rowHash ^ (hash + COMBINE_CONSTANT + (rowHash << 54) + (rowHash >>> 7));
  }
}
