package io.shardmark.loader.writer;

/** Takes encoded rows, a block at a time. */
public interface BlockSink {
  /**
   * Writes a block that ends between two rows; the array may be reused afterwards.
   *
   * @throws io.shardmark.loader.data.RowWriteException if the block cannot be written
   */
  void write(byte[] block, int offset, int length);
}
