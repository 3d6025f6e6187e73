package io.shardmark.proxy.growth;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A database that is to be a shard, and what an addition looks at before.
 *
 * @param database what two connections to it have alike
 * @param identity how it calls itself, if it does
 * @param mark by which it is being added, if it is: a cluster
 * @param objects of users, with the kind of each
 * @param counting the shards of the cluster, the first one first
 */
record ShardCandidate(
    String name,
    ServerSettings settings,
    String database,
    Optional<CandidateIdentity> identity,
    Optional<String> mark,
    List<String> objects,
    Globals globals,
    List<CountingShard> counting,
    FirstShard first) {
  /** The row of {@code shardmark.shard}. */
  record CandidateIdentity(String cluster, String shard) {}

  /** What a database uses and does not have itself, and what only a superuser makes there. */
  record Globals(List<String> roles, List<String> extensions) {}

  enum Presence {
    /** Each proxy that uses a shard knows the database. */
    KNOWN_TO_ALL,
    UNKNOWN_TO_SOME
  }

  record CountingShard(String name, String database, Presence presence, long openMoves) {}

  /**
   * What the new shard is made from.
   *
   * @param unsupported what would be lost
   * @param unpartitioned sharded tables whose rows would be looked for elsewhere
   */
  record FirstShard(
      String cluster, Globals globals, List<String> unsupported, List<String> unpartitioned) {}

  /** Why it cannot be added, and what to do. */
  Optional<String> refusal() {
    return Stream.of(
            settings.fault(name, ServerSettings.Side.TARGET).stream(),
            settings.fault(name, ServerSettings.Side.SOURCE).stream(), // of a later move
            counting.stream()
                .filter(shard -> shard.database().equals(database))
                .map(
                    shard ->
                        "shards %s and %s are the same database".formatted(shard.name(), name)),
            identity.stream().map(this::belongsTo),
            mark.stream().map(this::arrivesAt),
            counting.stream()
                .filter(shard -> shard.presence() == Presence.UNKNOWN_TO_SOME)
                .map(
                    shard ->
                        "a proxy is present on shard %s and not on %s: append %2$s to shards in the files of all proxies, and RELOAD"
                            .formatted(shard.name(), name)),
            counting.stream()
                .filter(shard -> shard.openMoves() > 0)
                .map(shard -> Growth.MOVES_ARE_OPEN),
            missing("role", first.globals().roles(), globals.roles()),
            missing("extension", first.globals().extensions(), globals.extensions()),
            first.unsupported().stream()
                .map(
                    what ->
                        "ADD SHARD does not make what shard %s has: %s"
                            .formatted(counting.get(0).name(), what)),
            first.unpartitioned().stream()
                .map(
                    "rows of tables that are sharded without partitions are placed by the number of shards, and do not move: make partitions of "
                        ::concat),
            objects.stream()
                .map(
                    ("shard " + name + " is not empty, and is to get everything from the others: ")
                            .concat("it has the ")
                        ::concat))
        .flatMap(reasons -> reasons)
        .findFirst();
  }

  private String belongsTo(CandidateIdentity own) {
    return own.cluster().equals(first.cluster())
        ? "shard %s is a database that is shard %s of this cluster".formatted(name, own.shard())
        : "shard %s is a database of another cluster, which has it as shard %s"
            .formatted(name, own.shard());
  }

  private String arrivesAt(String cluster) {
    return "shard %s is a database that %s: it has shardmark.arriving"
        .formatted(
            name,
            cluster.equals(first.cluster())
                ? "an addition has begun to fill, and that was undone without it"
                : "is being added to another cluster");
  }

  private Stream<String> missing(String kind, List<String> needed, List<String> there) {
    List<String> missing = new ArrayList<>(needed);
    missing.removeAll(there);
    return missing.stream()
        .map(one -> "shard %s does not have the %s %s".formatted(name, kind, one));
  }
}
