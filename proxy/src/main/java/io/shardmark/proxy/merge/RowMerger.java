package io.shardmark.proxy.merge;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/** The merge of one execution. Not for several threads. */
public interface RowMerger extends AutoCloseable {
  /**
   * A row of one shard.
   *
   * @param answer position of the shard among those asked, from 0
   * @param dataRow body of its DataRow message (after the length word); borrowed, copied if kept
   * @param out takes whole DataRow messages and owns them
   * @throws MergeRefusedException if more must be held back than the limit allows
   */
  void row(int answer, ByteBuf dataRow, Consumer<ByteBuf> out);

  /**
   * One shard has answered in full (its CommandComplete is there): rows that waited for it may
   * pass. Without this call they pass in {@link #finish}.
   */
  void answerEnd(int answer, Consumer<ByteBuf> out);

  /** All shards have answered: passes on what was held back. */
  void finish(Consumer<ByteBuf> out);

  /** How many rows have been passed on: the number in the command tag. */
  long rowCount();

  /**
   * So much of this answer is held back, waiting for another shard, that reading from its server
   * should pause. Changes with calls for the other answers; never true for all that have not ended.
   */
  boolean ahead(int answer);

  /**
   * Whether nothing more can pass before this answer, which has not ended, shows another row. True
   * for at least one of those that have not ended.
   */
  boolean needs(int answer);

  /** LIMIT is reached: every further row will be dropped. */
  boolean satisfied();

  /** Frees what is held back; also after an error. */
  @Override
  void close();
}
