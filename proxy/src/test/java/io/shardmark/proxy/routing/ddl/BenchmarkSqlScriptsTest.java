package io.shardmark.proxy.routing.ddl;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.sql.StatementSplitter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The steps of a build after the tables, and those that take it down, on Klustron's tables. */
final class BenchmarkSqlScriptsTest {
  private static final Map<String, String> SHARDED =
      Map.of(
          "bmsql_warehouse", "w_id",
          "bmsql_district", "d_w_id",
          "bmsql_customer", "c_w_id",
          "bmsql_history", "h_c_w_id",
          "bmsql_new_order", "no_w_id",
          "bmsql_oorder", "o_w_id",
          "bmsql_order_line", "ol_w_id",
          "bmsql_stock", "s_w_id");

  private final Cluster cluster = cluster();

  private static Cluster cluster() {
    Cluster cluster = new Cluster("s1", "s2").reference("bmsql_item").reference("bmsql_config");
    SHARDED.forEach(
        (table, column) -> {
          cluster.sharded(table, column, "six remainders");
          for (int remainder = 0; remainder < 6; remainder++) {
            cluster.partition(table + "_" + remainder, remainder / 3);
          }
        });
    return cluster;
  }

  private List<String> planned(String script) throws IOException {
    try (InputStream in = getClass().getResourceAsStream("/" + script + ".sql")) {
      String text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
      List<String> plans = new ArrayList<>();
      StatementSplitter.split(text)
          .forEach(sql -> plans.add(cluster.planned(sql.replaceFirst(";$", ""))));
      assertThat(plans).isNotEmpty();
      return plans;
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sql.common/tableCreates",
        "sql.common/indexCreates",
        "sql.common/tableDrops",
        "sql.common/tableTruncates",
        "sql.postgres/tableTruncates",
        "sql.postgres/storedProcedureCreates",
        "sql.postgres/storedProcedureDrops",
        "sql.postgres/buildFinish"
      })
  void goesToAllShards(String script) throws IOException {
    List<String> plans = planned(script);
    // Only the sequence differs from shard to shard.
    plans.removeIf(plan -> plan.startsWith("s1: create sequence bmsql_hist_id_seq increment by 2"));
    assertThat(plans).allMatch(plan -> plan.startsWith("all"));
  }

  @Test
  void vacuumRunsOutsideOfTransactions() throws IOException {
    assertThat(planned("sql.postgres/buildFinish")).containsExactly("all alone");
  }

  @Test
  void storageParametersGoToThePartitions() throws IOException {
    assertThat(planned("sql.postgres/extraCommandsBeforeLoad"))
        .hasSize(6)
        .allMatch(plan -> plan.startsWith("s1: do ") && plan.contains("| s2: do "));
  }

  /** The lines of other warehouses' stock, and payments of other warehouses' customers. */
  @Test
  void foreignKeysThatCrossShardsAreRefused() throws IOException {
    List<String> plans = planned("sql.common/foreignKeys");
    assertThat(plans).hasSize(10).filteredOn("all map"::equals).hasSize(8);
    assertThat(plans.get(3)).startsWith("refused 0A000: the foreign key from \"bmsql_history\"");
    assertThat(plans.get(7)).startsWith("refused 0A000: the foreign key from \"bmsql_order_line\"");
  }

  @Test
  void theHistorysNumbersComeFromADealtSequence() throws IOException {
    assertThat(planned("sql.postgres/extraHistID"))
        .containsExactly(
            "SetSequence[sequence=('bmsql_hist_id_seq')::pg_catalog.regclass,"
                + " valueQuery=select max(hist_id) from bmsql_history, called=true, otherwise=,"
                + " label=setval]",
            "all map",
            "refused 0A000: a unique key of table \"bmsql_history\" without its sharding column"
                + " \"h_c_w_id\" cannot be kept across shards");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
      alter table bmsql_history add primary key (hist_id,h_c_w_id)  ! all map
      create table bmsql_load_progress (unit varchar(40) not null primary key, detail varchar(120)) ! all map
      drop table bmsql_load_progress                                ! all map
      vacuum analyze bmsql_item                                     ! all alone
      vacuum analyze public.bmsql_stock_4                           ! s2 alone
      analyze bmsql_stock(s_w_id,s_i_id)                            ! all alone
      create table pgbench_accounts(aid int not null,bid int,abalance int,filler char(84)) partition by hash (aid) ! all map
      create table pgbench_accounts_3 partition of pgbench_accounts for values with (modulus 3, remainder 2) with (fillfactor=100) ! s1 tried map
      drop table if exists pgbench_accounts, pgbench_branches       ! all map
      """)
  void theOtherStepsOfThePublishedTestArePlanned(String sql, String expected) {
    assertThat(cluster.planned(sql)).isEqualTo(expected);
  }

  /** A verifier has a salt: made by each shard itself it would be another one everywhere. */
  @Test
  void aRoleGetsTheSameVerifierOnAllShards() {
    assertThat(cluster.planned("create user bench with password 'bench'"))
        .matches("s1: (create user bench with password 'SCRAM-SHA-256\\$[^']+') \\| s2: \\1 map");
  }
}
