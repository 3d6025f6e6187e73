package io.shardmark.proxy.deadlock;

/**
 * A transaction as one server knows it: of a server process, or prepared.
 *
 * @param shard index
 * @param processId 0 is a prepared transaction, which has no process
 * @param name its virtual transaction id, which this server gives to no other transaction; of a
 *     prepared one the name that it was prepared under, "" if it is gone already
 */
record ServerTransaction(int shard, int processId, String name) {
  boolean isPrepared() {
    return processId == 0;
  }
}
