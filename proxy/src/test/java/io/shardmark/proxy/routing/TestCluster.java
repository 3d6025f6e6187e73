package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.Column;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.PartitionRule;
import io.shardmark.proxy.shardmap.RowChange;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shardmap.Sharding;
import io.shardmark.proxy.shardmap.Table;
import io.shardmark.proxy.shardmap.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Four shards; a key's shard is its last two bits, so that expectations can be read. */
final class TestCluster {
  private static final int INT4 = 23;
  private static final int INT8 = 20;
  private static final int TEXT = 25;
  private static final int NUMERIC = 1700;

  /** Plans DDL where it does not matter how. */
  static final DdlPlanner DDL =
      (sql, tokens, tables) ->
          new StatementPlan.Ddl(
              List.of(),
              StatementPlan.Ddl.FIRST,
              true,
              true,
              StatementPlan.Ddl.Unknown.NOTHING,
              Set.of(),
              false,
              List.of());

  private final Map<TableName, Table> tables = new HashMap<>();

  /** Key modulo shards; of texts their length. */
  record Modulo(int shards) implements PartitionRule {
    @Override
    public int shardOf(@Nullable Object key) {
      if (key == null) {
        return 0;
      }
      long number = key instanceof Long integer ? integer : key.toString().length();
      return Math.floorMod(number, shards);
    }

    @Override
    public String strategy() {
      return "test";
    }

    @Override
    public List<PartitionRule.RulePlacement> placements() {
      return List.of();
    }
  }

  /** As {@link Modulo}, but of other tables. */
  record Shifted(int shards) implements PartitionRule {
    @Override
    public int shardOf(@Nullable Object key) {
      return key == null ? 0 : Math.floorMod((Long) key + 1, shards);
    }

    @Override
    public String strategy() {
      return "test";
    }

    @Override
    public List<PartitionRule.RulePlacement> placements() {
      return List.of();
    }
  }

  static ShardMap map() {
    TestCluster cluster = new TestCluster();
    cluster.tpcc();
    Modulo modulo = new Modulo(4);
    cluster.sharded("pgbench_accounts", "aid", modulo, "aid bid abalance filler:t");
    cluster.sharded("pgbench_branches", "bid", modulo, "bid bbalance filler:t");
    cluster.sharded("pgbench_tellers", "tid", modulo, "tid bid tbalance filler:t");
    cluster.sharded("pgbench_history", "aid", modulo, "tid bid aid delta mtime:d filler:t");
    cluster.sharded("t", "k", modulo, "k a b:b name:t amount:n");
    cluster.sharded("u", "k", modulo, "k x y");
    cluster.sharded("other", "k", new Shifted(4), "k z");
    cluster.reference("r", "id v name:t");
    cluster.differing();
    cluster.add("texts", new Sharding.ByColumn("code", KeyType.TEXT, modulo), "code:t n");
    cluster.add("t_p2", new Sharding.OnShard(2), "k a b name:t");
    cluster.add("noted", new Sharding.OnShard(1, true), "id v");
    cluster.add("t_p3", new Sharding.OnShard(3), "k a b name:t");
    cluster.add("mixed", new Sharding.Unroutable("has columns that differ"), "k");
    return new ShardMap(List.of("s0", "s1", "s2", "s3"), cluster.tables, 1);
  }

  static ShardMap oneShard() {
    return new ShardMap(List.of("s0"), map().tables(), 1);
  }

  /** Only tables of one rule, so that a key alone has a shard. */
  static ShardMap oneRule() {
    TestCluster cluster = new TestCluster();
    cluster.tpcc();
    return new ShardMap(List.of("s0", "s1", "s2", "s3"), cluster.tables, 1);
  }

  private void tpcc() {
    Modulo modulo = new Modulo(4);
    reference("bmsql_config", "cfg_name:t cfg_value:t");
    reference("bmsql_item", "i_id i_name:t i_price:n i_data:t i_im_id");
    sharded("bmsql_warehouse", "w_id", modulo, "w_id w_ytd:n w_tax:n w_name:t w_city:t");
    sharded(
        "bmsql_district",
        "d_w_id",
        modulo,
        "d_w_id d_id d_ytd:n d_tax:n d_next_o_id d_name:t d_street_1:t");
    sharded(
        "bmsql_customer",
        "c_w_id",
        modulo,
        "c_w_id c_d_id c_id c_discount:n c_credit:t c_last:t c_first:t c_balance:n"
            + " c_ytd_payment:n c_payment_cnt c_delivery_cnt c_middle:t c_data:t");
    sharded(
        "bmsql_history",
        "h_c_w_id",
        modulo,
        "hist_id h_c_id h_c_d_id h_c_w_id h_d_id h_w_id h_date:d h_amount:n h_data:t");
    sharded("bmsql_new_order", "no_w_id", modulo, "no_w_id no_d_id no_o_id");
    sharded(
        "bmsql_oorder",
        "o_w_id",
        modulo,
        "o_w_id o_d_id o_id o_c_id o_carrier_id o_ol_cnt o_all_local o_entry_d:d");
    sharded(
        "bmsql_order_line",
        "ol_w_id",
        modulo,
        "ol_w_id ol_d_id ol_o_id ol_number ol_i_id ol_delivery_d:d ol_amount:n ol_supply_w_id"
            + " ol_quantity ol_dist_info:t");
    sharded(
        "bmsql_stock",
        "s_w_id",
        modulo,
        "s_w_id s_i_id s_quantity s_ytd s_order_cnt s_remote_cnt s_data:t s_dist_01:t");
  }

  /** A reference table whose column "at" has the default now(), and one with triggers. */
  private void differing() {
    TableName stamped = new TableName("public", "stamped");
    Column id = new Column("id", INT4, true);
    Column at = new Column("at", 1184, true, Column.Filling.MAY_DIFFER);
    Column v = new Column("v", INT4, true);
    tables.put(stamped, new Table(stamped, new Sharding.Reference(), List.of(id, at, v)));
    TableName folded = new TableName("public", "folded");
    Column ci = new Column("ci", TEXT, false);
    Sharding.ByColumn byId = new Sharding.ByColumn("id", KeyType.INTEGER, new Modulo(4));
    tables.put(folded, new Table(folded, byId, List.of(id, ci, v)));
    TableName watched = new TableName("public", "watched");
    tables.put(
        watched,
        new Table(watched, new Sharding.Reference(), List.of(id, v), Set.of(RowChange.UPDATE)));
  }

  private void sharded(String name, String column, PartitionRule rule, String columns) {
    add(name, new Sharding.ByColumn(column, KeyType.INTEGER, rule), columns);
  }

  private void reference(String name, String columns) {
    add(name, new Sharding.Reference(), columns);
  }

  private void add(String name, Sharding sharding, String columns) {
    List<Column> list = new ArrayList<>();
    for (String column : columns.split(" ", -1)) {
      String[] parts = column.split(":", -1);
      int type =
          switch (parts.length == 1 ? "i" : parts[1]) {
            case "t" -> TEXT;
            case "n" -> NUMERIC;
            case "b" -> INT8;
            case "d" -> 1114;
            default -> INT4;
          };
      list.add(new Column(parts[0], type, type != TEXT));
    }
    TableName table = new TableName("public", name);
    tables.put(table, new Table(table, sharding, list));
  }
}
