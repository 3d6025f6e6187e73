package io.shardmark.systemtest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.shardmark.servers.DebianPostgres;
import io.shardmark.servers.FreePort;
import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionFactory;

/**
 * Two of Debian's PostgreSQL servers and {@code proxy.jar} in front of them, each a process of its
 * own. Used by one thread.
 */
final class ShardedCluster implements AutoCloseable {
  private static final String CONFIG = "proxy.yaml";

  private final Workspace workspace;
  private final List<DebianPostgres> shards;
  private final int port;
  private DriverProcess proxy;

  private ShardedCluster(Workspace workspace, List<DebianPostgres> shards, int port)
      throws IOException, InterruptedException {
    this.workspace = workspace;
    this.shards = shards;
    this.port = port;
    proxy = startProcess();
  }

  /**
   * Starts the servers, then the proxy, and waits until it listens.
   *
   * @param settings more lines of the proxy's configuration
   */
  static ShardedCluster start(Path directory, String... settings)
      throws IOException, InterruptedException, SQLException {
    List<DebianPostgres> shards = new ArrayList<>();
    for (int shard = 0; shard < 2; shard++) {
      shards.add(
          DebianPostgres.start(
              Postgres.USER,
              Postgres.PASSWORD,
              "max_prepared_transactions=100",
              "max_connections=200"));
    }
    int port = FreePort.find();
    StringBuilder config = new StringBuilder("listen: 127.0.0.1:%d%nshards:%n".formatted(port));
    for (int shard = 0; shard < 2; shard++) {
      config.append(
          "  - {name: s%d, host: 127.0.0.1, port: %d, database: bench}%n"
              .formatted(shard + 1, shards.get(shard).port()));
    }
    config.append(
        "users:%n  - {name: %s, password: %s}%n".formatted(Postgres.USER, Postgres.PASSWORD));
    List.of(settings).forEach(line -> config.append(line).append('\n'));
    Files.writeString(directory.resolve(CONFIG), config);
    return new ShardedCluster(new Workspace(directory), shards, port);
  }

  static Path jar() {
    Path jar = Workspace.root().resolve("proxy/target/proxy.jar");
    assertThat(jar).as("the built proxy; mvn verify makes it").isRegularFile();
    return jar;
  }

  private DriverProcess startProcess() throws IOException, InterruptedException {
    List<String> command = Workspace.java(jar());
    command.add(CONFIG);
    DriverProcess process = workspace.startCommand(command, Map.of());
    process.awaitOutput("127.0.0.1:" + port);
    return process;
  }

  /** {@code kill -9} of the proxy, then a new one with the same file. */
  void killAndRestartProxy() throws IOException, InterruptedException {
    proxy.signal("KILL");
    proxy.await();
    proxy = startProcess();
  }

  /** {@code kill -9} of a shard's server, then its start on the same files. */
  void killAndRestartShard(int shard) throws IOException, InterruptedException {
    shards.get(shard).killHard();
    shards.get(shard).restart();
  }

  Workspace workspace() {
    return workspace;
  }

  int port() {
    return port;
  }

  String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/bench";
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), Postgres.USER, Postgres.PASSWORD);
  }

  /** Starts one of PostgreSQL's own programs against the proxy. */
  DriverProcess startClient(String program, String... arguments) throws IOException {
    return startClient(Map.of(), program, arguments);
  }

  private DriverProcess startClient(
      Map<String, String> environment, String program, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(List.of(DebianPostgres.binaries().resolve(program).toString()));
    command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(port), "-U", Postgres.USER));
    command.addAll(Arrays.asList(arguments));
    command.add("bench");
    Map<String, String> all = new HashMap<>(environment);
    all.put("PGPASSWORD", Postgres.PASSWORD);
    return workspace.startCommand(command, all);
  }

  /** Runs one of PostgreSQL's own programs against the first shard, past the proxy. */
  Finished clientOfFirstShard(String program, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(List.of(DebianPostgres.binaries().resolve(program).toString()));
    command.addAll(List.of("-h", "127.0.0.1", "-p", Integer.toString(shards.get(0).port())));
    command.addAll(List.of("-U", Postgres.USER));
    command.addAll(Arrays.asList(arguments));
    command.add("bench");
    try (DriverProcess process =
        workspace.startCommand(command, Map.of("PGPASSWORD", Postgres.PASSWORD))) {
      return process.await();
    }
  }

  Finished client(String program, String... arguments) throws IOException, InterruptedException {
    try (DriverProcess process = startClient(program, arguments)) {
      return process.await();
    }
  }

  /** The same with options of the session, as PGOPTIONS has them. */
  Finished clientWith(String options, String program, String... arguments)
      throws IOException, InterruptedException {
    try (DriverProcess process = startClient(Map.of("PGOPTIONS", options), program, arguments)) {
      return process.await();
    }
  }

  /** The first column of the first row, asked through the proxy. */
  String ask(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).as(sql).isTrue();
      return String.valueOf(row.getString(1));
    }
  }

  /** The first column of the first row of each shard, asked there. */
  List<String> askShards(String sql) throws SQLException {
    List<String> answers = new ArrayList<>();
    for (DebianPostgres shard : shards) {
      try (Connection connection = shard.connect();
          Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery(sql)) {
        assertThat(row.next()).as(sql).isTrue();
        answers.add(String.valueOf(row.getString(1)));
      }
    }
    return answers;
  }

  /**
   * Waits until recovery has finished every prepared transaction on both shards, and none is open
   * that could still be prepared: a server may hear late what a killed proxy has sent it.
   */
  void awaitNothingPrepared() {
    String open =
        "SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'"
            + " AND xact_start IS NOT NULL AND pid <> pg_backend_pid())"
            + " + (SELECT count(*) FROM pg_prepared_xacts)";
    await("open and prepared transactions on the shards")
        .atMost(DriverProcess.PATIENCE)
        .until(() -> askShards(open), left -> left.equals(List.of("0", "0")));
  }

  /** Waits until a number, asked through the proxy, has grown; failures meanwhile count as no. */
  void awaitMore(String sql) {
    ConditionFactory patience =
        await(sql)
            .atMost(DriverProcess.PATIENCE)
            .ignoreExceptionsInstanceOf(SQLException.class); // the shard is not back yet
    long first = patience.until(() -> Long.parseLong(ask(sql)), number -> true);
    patience.until(() -> Long.parseLong(ask(sql)), now -> now > first);
  }

  @Override
  public void close() {
    proxy.close();
    shards.forEach(DebianPostgres::close);
  }
}
