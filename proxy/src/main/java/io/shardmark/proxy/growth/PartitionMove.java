package io.shardmark.proxy.growth;

import java.util.List;

/**
 * A move as its row on the source says. Names are quoted as SQL needs them.
 *
 * @param id unique in the cluster
 * @param name of its publication, its slot and its subscription, unique on the source's server
 * @param source index of the shard that has the row
 * @param target name of the shard
 * @param parents tables, each after those that its foreign keys refer to
 * @param partitions of these tables, in that order, with their schemas
 * @param bound of all these partitions, as PostgreSQL writes it
 * @param seconds since it began; until its end, if it is over
 */
record PartitionMove(
    int id,
    String name,
    int source,
    String target,
    List<String> parents,
    List<String> partitions,
    String bound,
    MoveStage stage,
    String note,
    long seconds) {
  PartitionMove {
    parents = List.copyOf(parents);
    partitions = List.copyOf(partitions);
  }

  /** Where the source's rows are between the switch and their end. */
  String emptied(int partition) {
    return "shardmark.moved_%d_%d".formatted(id, partition);
  }
}
