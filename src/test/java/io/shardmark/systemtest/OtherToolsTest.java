package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.servers.DebianPostgres;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** pgbench and sysbench on our tables, we on theirs; what must hold is checked after each. */
final class OtherToolsTest {
  private static final Path SYSBENCH = Path.of("/usr/bin/sysbench");
  private static final String COLUMNS =
      "SELECT string_agg(concat_ws(' ', table_name, column_name, data_type,"
          + " character_maximum_length, is_nullable, column_default), E'\\n'"
          + " ORDER BY table_name, ordinal_position)"
          + " FROM information_schema.columns WHERE table_schema = 'public'";
  private static final String INDEXES =
      "SELECT string_agg(indexdef, E'\\n' ORDER BY indexdef)"
          + " FROM pg_indexes WHERE schemaname = 'public'";

  @TempDir private Path directory;
  private Workspace workspace;
  private String database;

  @BeforeEach
  void open() throws SQLException {
    workspace = new Workspace(directory);
    database = Postgres.newDatabase();
  }

  @AfterEach
  void drop() throws SQLException {
    Postgres.drop(database);
  }

  private void tpcb() throws Exception {
    properties("tpcb", Map.of("scale", "1"));
  }

  private void sysbenchOltp() throws Exception {
    properties("sysbench-oltp", Map.of("tables", "2", "tableSize", "3000", "retries", "10"));
  }

  private void properties(String workload, Map<String, String> own) throws Exception {
    Map<String, String> properties = Postgres.properties(database);
    properties.keySet().removeIf(key -> key.matches("warehouses|terminalWarehouse.*|.*Weight"));
    properties.put("workload", workload);
    properties.putAll(own);
    workspace.properties(properties);
  }

  private Finished ours(String... arguments) throws Exception {
    return workspace.run(arguments);
  }

  private void run(String result, String... namesAndValues) throws Exception {
    List<String> command = new ArrayList<>(List.of("run", Workspace.PROPERTIES));
    command.addAll(List.of("resultDirectory", result));
    command.addAll(List.of(namesAndValues));
    Finished finished = ours(command.toArray(new String[0])).succeeded();
    ResultFiles files = workspace.result(result).assertWhole();
    assertThat(files.errors("")).as(finished.all()).isZero();
  }

  private void verify() throws Exception {
    assertThat(ours("verify", Workspace.PROPERTIES).succeeded().out()).contains(" 0 fail,");
  }

  private Finished pgbench(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(DebianPostgres.binaries().resolve("pgbench").toString()));
    command.addAll(List.of("-h", "127.0.0.1", "-p", port(), "-U", Postgres.USER));
    command.addAll(List.of(arguments));
    command.add(database);
    return client(command);
  }

  private Finished sysbench(String test, String command, String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of(SYSBENCH.toString(), test));
    words.addAll(List.of("--db-driver=pgsql", "--pgsql-host=127.0.0.1", "--pgsql-port=" + port()));
    words.addAll(List.of("--pgsql-user=" + Postgres.USER, "--pgsql-password=" + Postgres.PASSWORD));
    words.addAll(List.of("--pgsql-db=" + database, "--tables=2", "--table_size=3000"));
    words.addAll(List.of(options));
    words.add(command);
    return client(words);
  }

  private static String port() {
    return Postgres.url("").replaceAll(".*:(\\d+)/.*", "$1");
  }

  private Finished client(List<String> command) throws Exception {
    try (DriverProcess process =
        workspace.startCommand(command, Map.of("PGPASSWORD", Postgres.PASSWORD))) {
      return process.await();
    }
  }

  private String ask(String sql) throws SQLException {
    try (Connection connection = Postgres.connect(database);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return String.valueOf(row.getString(1));
    }
  }

  private static void assumePgbench() {
    assumeTrue(DebianPostgres.isAvailable(), DebianPostgres.NOT_THERE);
  }

  private static void assumeSysbench() {
    assumeTrue(Files.isExecutable(SYSBENCH), "needs Debian's package sysbench");
  }

  @Test
  void pgbenchRunsOnOurTablesAndWeGoOn() throws Exception {
    assumePgbench();
    tpcb();
    ours("build", Workspace.PROPERTIES).succeeded();
    verify();
    for (String mode : List.of("simple", "extended", "prepared")) {
      Finished finished = pgbench("-n", "-M", mode, "-c", "4", "-t", "50").succeeded();
      assertThat(finished.out()).contains("actually processed: 200/200");
    }
    verify();
    run("ours");
    verify();
    assertThat(ask("SELECT count(*) FROM pgbench_history")).isEqualTo("700");
  }

  @Test
  void weRunOnPgbenchsTablesInEveryForm() throws Exception {
    assumePgbench();
    tpcb();
    pgbench("-i", "-q", "-s", "1").succeeded();
    verify();
    run("separate");
    run("pipelined", "statements", "pipelined");
    ours("run", Workspace.PROPERTIES, "statements", "function", "resultDirectory", "none")
        .failedWithOneLine(1, "no function shardmark_tpcb", "functionCreates");
    ours("sql", Workspace.PROPERTIES, "functionCreates").succeeded();
    run("function", "statements", "function");
    assertThat(ask("SELECT count(*) FROM pgbench_history")).isEqualTo("300");
    run("mixed", "transactions", "tpcb-like@1, select-only@3");
    verify();
    pgbench("-n", "-c", "2", "-t", "20").succeeded();
    verify();
    ours("run", Workspace.PROPERTIES, "scale", "2", "resultDirectory", "none")
        .failedWithOneLine(1, "scale=2 does not fit the tables", "set scale=1");
    ours("destroy", Workspace.PROPERTIES).succeeded();
    assertThat(ask("SELECT count(*) FROM pg_class WHERE relname LIKE 'pgbench%'")).isEqualTo("0");
  }

  @Test
  void aScriptDoesWhatItDoesInPgbench() throws Exception {
    assumePgbench();
    Path script =
        Files.writeString(
            directory.resolve("fixed.sql"),
            """
            \\if :n > 3
            \\set step case when :n % 2 = 0 then 10 else -7 end
            \\else
            \\set step 1
            \\endif
            \\set n :n + 1
            \\set aid hash(:n, 5) % 1000 * sqrt(4.0) + 5000 * :scale
            BEGIN;
            UPDATE pgbench_accounts SET abalance = abalance + :step WHERE aid = :aid::float8
              RETURNING bid + 1 AS next \\gset branch_
            INSERT INTO pgbench_history (tid, bid, aid, delta, filler)
              VALUES (:client_id, :branch_next, :n, :step, 'n' || :n);
            END;
            \\startpipeline
            INSERT INTO pgbench_history (aid, delta) VALUES (:n, :aid / 3);
            UPDATE pgbench_tellers SET tbalance = tbalance + :n WHERE tid = :n % 10 + 1;
            \\endpipeline
            """);
    String content =
        "SELECT md5(string_agg(a::text, ';' ORDER BY aid))"
            + " || (SELECT string_agg(t::text, ';' ORDER BY tid) FROM pgbench_tellers t)"
            + " || (SELECT string_agg(h::text, ';' ORDER BY aid, tid) FROM pgbench_history h)"
            + " FROM pgbench_accounts a";
    pgbench("-i", "-q", "-s", "1").succeeded();
    pgbench("-n", "-t", "25", "-M", "prepared", "-D", "n=0", "-D", "scale=1", "-f", script + "")
        .succeeded();
    String theirs = ask(content);
    pgbench("-i", "-q", "-s", "1").succeeded();
    properties("script:" + script, Map.of("scriptVariables", "n=0", "terminals", "1"));
    run("fixed", "runTxnsPerTerminal", "25");
    assertThat(ask(content)).isEqualTo(theirs).contains("n25");
  }

  @Test
  void tpcbAsAScriptOfPgbenchAndOfOursConservesTheBalances() throws Exception {
    assumePgbench();
    String script = Workspace.root().resolve("config/tpcb.sql").toString();
    pgbench("-i", "-q", "-s", "1").succeeded();
    pgbench("-n", "-M", "prepared", "-c", "4", "-t", "25", "-D", "scale=1", "-f", script)
        .succeeded();
    properties("script:" + script, Map.of());
    run("ours", "retries", "10");
    ours("verify", Workspace.PROPERTIES).failedWithOneLine(1, "workload=script: the tables are");
    ours("sweep", Workspace.PROPERTIES, "--terminals", "2", "--output", "swept", "retries", "10")
        .succeeded();
    tpcb();
    verify();
    assertThat(ask("SELECT count(*) FROM pgbench_history")).isEqualTo("300");
  }

  @Test
  void theTablesAreThoseOfPgbench() throws Exception {
    assumePgbench();
    tpcb();
    String content =
        "SELECT md5(string_agg(concat_ws(',', aid, bid, abalance, filler::bytea), ';' ORDER BY aid))"
            + " || (SELECT string_agg(t::text, ';' ORDER BY tid) FROM pgbench_tellers t)"
            + " || (SELECT string_agg(b::text, ';' ORDER BY bid) FROM pgbench_branches b)"
            + " FROM pgbench_accounts";
    String options =
        "SELECT string_agg(relname || reloptions::text, ' ' ORDER BY relname)"
            + " FROM pg_class WHERE relname LIKE 'pgbench%'";
    pgbench("-i", "-q", "-s", "1").succeeded();
    List<String> theirs = List.of(ask(COLUMNS), ask(INDEXES), ask(content), ask(options));
    ours("destroy", Workspace.PROPERTIES).succeeded();
    ours("build", Workspace.PROPERTIES).succeeded();
    assertThat(List.of(ask(COLUMNS), ask(INDEXES), ask(content), ask(options))).isEqualTo(theirs);
  }

  @Test
  void sysbenchRunsOnOurTablesAndWeGoOn() throws Exception {
    assumeSysbench();
    sysbenchOltp();
    ours("build", Workspace.PROPERTIES).succeeded();
    verify();
    for (String test :
        List.of("oltp_read_write", "oltp_read_only", "oltp_write_only", "oltp_update_index")) {
      Finished finished = sysbench(test, "run", "--threads=2", "--events=40", "--time=0");
      assertThat(finished.succeeded().out()).containsPattern("transactions: +40 ");
    }
    verify();
    run("ours");
    verify();
    // It counts on from the largest id, as on tables of its own.
    sysbench("oltp_insert", "run", "--events=3", "--time=0").succeeded();
  }

  @Test
  void weRunOnSysbenchsTables() throws Exception {
    assumeSysbench();
    sysbenchOltp();
    sysbench("oltp_read_write", "prepare").succeeded();
    String columns = ask(COLUMNS);
    String indexes = ask(INDEXES);
    verify();
    for (String test :
        List.of("oltp_read_write", "oltp_read_only", "oltp_write_only", "oltp_point_select")) {
      run(test, "sysbenchTest", test);
    }
    run("pareto", "randType", "pareto", "skipTrx", "true");
    verify();
    ours("run", Workspace.PROPERTIES, "tableSize", "4000", "resultDirectory", "none")
        .failedWithOneLine(1, "tableSize=4000: sbtest1 has ids 1 to 3000", "set tableSize=3000");
    ours("run", Workspace.PROPERTIES, "tables", "3", "resultDirectory", "none")
        .failedWithOneLine(1, "tables=3: the database has no sbtest3");
    ours("destroy", Workspace.PROPERTIES).succeeded();
    ours("build", Workspace.PROPERTIES).succeeded();
    assertThat(ask(COLUMNS)).isEqualTo(columns);
    assertThat(ask(INDEXES)).isEqualTo(indexes);
  }
}
