package io.shardmark.proxy.ddl;

/** Told when a statement has changed what the shard map is read from. Any thread may call. */
public interface SchemaChanges {
  /**
   * Reads the catalogs again.
   *
   * @param done runs once, on any thread, when the current map shows the change or cannot be read
   */
  void changed(Runnable done);
}
