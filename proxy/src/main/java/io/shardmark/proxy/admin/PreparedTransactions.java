package io.shardmark.proxy.admin;

import io.shardmark.proxy.admin.ProxyState.TransactionInfo;
import io.shardmark.proxy.commit.Gid;
import io.shardmark.proxy.recovery.InDoubt;
import io.shardmark.proxy.recovery.ShardAccess;
import io.shardmark.proxy.recovery.ShardSession;
import io.shardmark.proxy.recovery.ShardSession.Prepared;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the shards hold prepared of any proxy's transactions at a moment.
 *
 * @param byGid the parts of each; a name that is no proxy's is kept as the proxy
 * @param doubts why recovery could not finish a part, by its name on the shard
 * @param unreachable names of shards that could not be asked
 */
public record PreparedTransactions(
    Map<String, List<PreparedPart>> byGid, Map<String, String> doubts, List<String> unreachable) {

  /** What one shard holds of a transaction. */
  public record PreparedPart(String shard, Prepared prepared) {}

  /** Asks the shards; blocks. */
  public static PreparedTransactions of(List<ShardAccess> shards, List<InDoubt> inDoubt) {
    Map<String, List<PreparedPart>> byGid = new LinkedHashMap<>();
    List<String> unreachable = new ArrayList<>();
    for (ShardAccess shard : shards) {
      try {
        for (Prepared one : ShardSession.preparedOn(shard)) {
          String gid =
              Gid.parsePrepared(one.name()).map(name -> name.gid().text()).orElse(one.name());
          byGid
              .computeIfAbsent(gid, unused -> new ArrayList<>())
              .add(new PreparedPart(shard.name(), one));
        }
      } catch (SQLException e) {
        unreachable.add(shard.name());
      }
    }
    Map<String, String> doubts = new HashMap<>();
    inDoubt.forEach(one -> doubts.put(one.preparedName(), one.reason()));
    return new PreparedTransactions(byGid, doubts, unreachable);
  }

  /** The clients' transactions, then those that are prepared without a client here. */
  public List<TransactionInfo> with(List<TransactionInfo> ofClients) {
    List<TransactionInfo> all = new ArrayList<>(ofClients);
    Map<String, List<PreparedPart>> others = new LinkedHashMap<>(byGid);
    ofClients.forEach(one -> others.remove(one.gid()));
    others.forEach((gid, parts) -> all.add(info(gid, parts)));
    for (String shard : unreachable) {
      all.add(
          new TransactionInfo(
              Optional.empty(), "", List.of(shard), "unknown", 0, "the shard cannot be asked"));
    }
    return all;
  }

  private TransactionInfo info(String gid, List<PreparedPart> parts) {
    String why =
        parts.stream()
            .flatMap(part -> Optional.ofNullable(doubts.get(part.prepared().name())).stream())
            .findFirst()
            .orElse("");
    return new TransactionInfo(
        Optional.empty(),
        gid,
        parts.stream().map(PreparedPart::shard).toList(),
        why.isEmpty() ? "prepared" : "in doubt",
        parts.stream().mapToLong(part -> part.prepared().age().toSeconds()).max().orElse(0),
        why);
  }
}
