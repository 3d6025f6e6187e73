package io.shardmark.proxy.catalog;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.UserConfig;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a look at the shards shows before clients come: faults of their settings, disagreement, and
 * how evenly the keys fall. One line each; nothing here keeps the proxy from starting. Pure.
 */
public final class StartupCheck {
  /**
   * The catalog's, recovery's and the deadlock detector's connections, two by which proxies meet,
   * and one to look around.
   */
  private static final int OWN_CONNECTIONS = 7;

  private static final List<Integer> KEY_COUNTS = List.of(10, 100);

  private final ProxyConfig config;
  private final ShardMap map;
  private final List<Optional<ShardFacts>> facts;
  private final List<String> problems = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private StartupCheck(ProxyConfig config, CatalogReader reader) {
    this.config = config;
    this.map = reader.last().map();
    this.facts = reader.facts();
  }

  /**
   * What was found, one line each.
   *
   * @param problems something should be changed
   * @param notes good to know
   */
  public record Report(List<String> problems, List<String> notes) {
    public Report {
      problems = List.copyOf(problems);
      notes = List.copyOf(notes);
    }
  }

  /**
   * @param reader that has read at least once
   */
  public static Report run(ProxyConfig config, CatalogReader reader) {
    StartupCheck check = new StartupCheck(config, reader);
    check.unreachable(reader.status());
    check.sameDatabase();
    check.eachShard();
    check.differences();
    check.problems.addAll(reader.last().problems());
    check.balance();
    return new Report(check.problems, check.notes);
  }

  private String name(int shard) {
    return "shard " + config.shards().get(shard).name();
  }

  private void unreachable(List<ShardStatus> states) {
    for (int shard = 0; shard < states.size(); shard++) {
      if (states.get(shard).state() != ShardStatus.ShardState.UP) {
        problems.add(
            "%s (%s) cannot be read: %s"
                .formatted(
                    name(shard), config.shards().get(shard).address(), states.get(shard).detail()));
      }
    }
  }

  private void sameDatabase() {
    Map<String, Integer> seen = new HashMap<>();
    for (int shard = 0; shard < facts.size(); shard++) {
      if (facts.get(shard).isPresent()) {
        Integer other = seen.putIfAbsent(facts.get(shard).get().database(), shard);
        if (other != null) {
          problems.add(
              "%s is the same database as %s; its rows would be counted twice"
                  .formatted(name(shard), name(other)));
        }
      }
    }
  }

  private void eachShard() {
    for (int shard = 0; shard < facts.size(); shard++) {
      if (facts.get(shard).isPresent()) {
        eachShard(name(shard), facts.get(shard).get());
      }
    }
  }

  private void eachShard(String name, ShardFacts shard) {
    int poolSize = config.pool().size();
    if (config.shards().size() > 1 && shard.maxPreparedTransactions() < poolSize) {
      problems.add(
          "%s: max_prepared_transactions is %d; transactions over several shards %s: set it to %d"
              .formatted(
                  name,
                  shard.maxPreparedTransactions(),
                  shard.maxPreparedTransactions() == 0 ? "fail" : "may fail under load",
                  Math.max(64, 2 * poolSize)));
    }
    connections(name, shard);
    if (!shard.integerDatetimes()) {
      problems.add(name + ": integer_datetimes is off; binary timestamps cannot be merged");
    }
    if (shard.inRecovery()) {
      problems.add(name + " is a standby and cannot be written");
    }
    boolean others =
        config.users().stream().map(UserConfig::name).anyMatch(user -> !user.equals(shard.user()));
    if (config.shards().size() > 1 && !shard.superuser() && (others || config.users().isEmpty())) {
      problems.add(
          "%s: user %s is no superuser and can finish only its own prepared transactions; "
                  .formatted(name, shard.user())
              + "give shards[].user a superuser");
    }
  }

  /**
   * What this proxy may open on a server: for each user and shard there the pool, which has a
   * connection for each event loop at least, and one in reserve.
   */
  private void connections(String name, ShardFacts shard) {
    int users = Math.max(1, config.users().size());
    int pool = Math.max(config.pool().size(), config.loops().count()) + 1;
    long shards =
        facts.stream()
            .flatMap(Optional::stream)
            .filter(other -> other.server().equals(shard.server()))
            .count();
    long needed = shards * (users * (long) pool + OWN_CONNECTIONS);
    int usable = shard.maxConnections() - shard.reservedConnections();
    if (usable < needed) {
      problems.add(
          "%s: max_connections %d leaves %d without those reserved; pool_size %d for %d user(s) on %d shard(s) of this server takes up to %d for each proxy"
              .formatted(
                  name,
                  shard.maxConnections(),
                  usable,
                  config.pool().size(),
                  users,
                  shards,
                  needed));
    }
  }

  private void differences() {
    difference("server versions", ShardFacts::version);
    difference("server_encoding", ShardFacts::encoding);
    difference("collation", ShardFacts::collation);
    difference("settings of the databases", ShardFacts::timeZone);
  }

  private void difference(String what, Function<ShardFacts, String> field) {
    Map<String, List<String>> shardsOf = new LinkedHashMap<>();
    for (int shard = 0; shard < facts.size(); shard++) {
      String shardName = config.shards().get(shard).name();
      facts
          .get(shard)
          .map(field)
          .ifPresent(
              value -> shardsOf.computeIfAbsent(value, v -> new ArrayList<>()).add(shardName));
    }
    if (shardsOf.size() > 1) {
      problems.add(
          what
              + " differ between shards: "
              + shardsOf.entrySet().stream()
                  .map(
                      e ->
                          (e.getKey().isEmpty() ? "none" : e.getKey())
                              + " on "
                              + String.join(", ", e.getValue()))
                  .collect(Collectors.joining("; ")));
    }
  }

  /** A hash puts few keys down unevenly; a line for each rule says how much. */
  private void balance() {
    Map<PartitionRule, TreeSet<String>> tables = new HashMap<>();
    Map<PartitionRule, String> columns = new HashMap<>();
    for (Table table : map.tables().values()) {
      if (table.sharding() instanceof Sharding.ByColumn by
          && by.keyType() == KeyType.INTEGER
          && by.rule().strategy().equals("hash")) {
        tables.computeIfAbsent(by.rule(), r -> new TreeSet<>()).add(table.name().name());
        columns.merge(by.rule(), by.column(), (a, b) -> a.compareTo(b) <= 0 ? a : b);
      }
    }
    tables.entrySet().stream()
        .sorted(Comparator.comparing(entry -> entry.getValue().first()))
        .forEach(
            entry ->
                notes.add(
                    balance(
                        entry.getKey(),
                        named(entry.getValue()),
                        Objects.requireNonNull(columns.get(entry.getKey())))));
  }

  private static String named(Set<String> tables) {
    String first = tables.iterator().next();
    return tables.size() == 1 ? first : first + " and " + (tables.size() - 1) + " more";
  }

  private String balance(PartitionRule rule, String tables, String column) {
    return KEY_COUNTS.stream()
        .map(count -> "1.." + count + " on " + spread(rule, count))
        .collect(Collectors.joining("; ", "the hash of %s puts %s ".formatted(tables, column), ""));
  }

  private String spread(PartitionRule rule, int count) {
    int[] keys = new int[config.shards().size()];
    for (long key = 1; key <= count; key++) {
      int shard = rule.shardOf(key);
      if (shard != PartitionRule.NO_PARTITION) {
        keys[shard]++;
      }
    }
    List<String> parts = new ArrayList<>();
    for (int shard = 0; shard < keys.length; shard++) {
      parts.add(config.shards().get(shard).name() + " " + keys[shard]);
    }
    return String.join(", ", parts);
  }
}
