package io.shardmark.proxy.deadlock;

import io.shardmark.proxy.commit.Gid;

/**
 * A transaction as one server knows it: of a server process, or prepared.
 *
 * @param shard index
 * @param processId 0 is a prepared transaction, which has no process
 * @param name its virtual transaction id, which this server gives to no other transaction; of a
 *     prepared one the name that it was prepared under; "" if it is gone already
 */
public record ServerTransaction(int shard, int processId, String name) {
  public boolean isPrepared() {
    return processId == 0;
  }

  /**
   * What no other transaction of its shard is called, in all proxies; "" if nothing is known that
   * distinguishes it. Of a prepared one the gid.
   */
  String key() {
    return isPrepared()
        ? Gid.parsePrepared(name).map(prepared -> prepared.gid().text()).orElse("")
        : name;
  }
}
