package io.shardmark.driver.tpcb;

import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.TablePlacement;
import java.util.Optional;

/** Where the rows are; nothing is distributed on one server. */
final class TpcbPlacement {
  static final TpcbPlacement ONE_SERVER = new TpcbPlacement(Optional.empty());

  private final Optional<Tables> tables;

  private record Tables(TablePlacement accounts, TablePlacement branches, TablePlacement tellers) {}

  private TpcbPlacement(Optional<Tables> tables) {
    this.tables = tables;
  }

  /**
   * @throws io.shardmark.config.ConfigException if a table is not sharded by its id
   */
  static TpcbPlacement of(ShardMap map) {
    if (map.shards().size() < 2) {
      return ONE_SERVER;
    }
    return new TpcbPlacement(
        Optional.of(
            new Tables(
                map.requireTable("pgbench_accounts", "aid"),
                map.requireTable("pgbench_branches", "bid"),
                map.requireTable("pgbench_tellers", "tid"))));
  }

  /** The history row is where its teller is. */
  boolean isDistributed(TpcbScript script, int account, int branch, int teller) {
    if (tables.isEmpty() || script.isReadOnly()) {
      return false;
    }
    Tables known = tables.get();
    int home = known.accounts().shardOf(account);
    return known.tellers().shardOf(teller) != home
        || (script.updatesAll() && known.branches().shardOf(branch) != home);
  }
}
