package io.shardmark.proxy.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.Await;
import io.shardmark.proxy.pool.ShardPool;
import io.shardmark.proxy.session.SessionContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Two event loops that share one pool. */
final class SharedPoolTest {
  private static final int POOL_SIZE = 4;
  private static final String ALLOWED = "Cpus_allowed_list:";

  private final List<WireClient> all = new ArrayList<>();
  private RunningProxy proxy;

  @BeforeEach
  void start() {
    start(2, POOL_SIZE);
  }

  private void start(int eventLoops, int poolSize) {
    proxy =
        RunningProxy.start(
            1, "event_loops: " + eventLoops, "pool_size: " + poolSize, "pool_wait_timeout: 10min");
  }

  @AfterEach
  void stop() throws IOException {
    for (WireClient client : all) {
      client.close();
    }
    proxy.close();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void loopsAreBoundToTheProcessorsThatAreNamed() throws Exception {
    Function<String, String> allowed =
        status -> status.lines().filter(line -> line.startsWith(ALLOWED)).findFirst().orElseThrow();
    String own = allowed.apply(Files.readString(Path.of("/proc/self/status")));
    String first = own.substring(ALLOWED.length()).strip().split("[-,]", -1)[0];
    proxy.close();
    proxy = RunningProxy.start(1, "event_loops: 2", "cpus: " + first);
    for (SessionContext loop : proxy.server().loops()) {
      String ofLoop =
          loop.loop().submit(() -> Files.readString(Path.of("/proc/thread-self/status"))).get();
      assertThat(allowed.apply(ofLoop)).isEqualTo(ALLOWED + "\t" + first);
    }
  }

  /** New clients on that loop; the sockets decide where a client goes. */
  private List<WireClient> clients(int loop, int count) throws Exception {
    List<WireClient> found = new ArrayList<>();
    SessionContext context = proxy.server().loops().get(loop);
    while (found.size() < count) {
      WireClient client = proxy.login();
      all.add(client);
      String suffix = ":" + client.localPort();
      Callable<Boolean> isHere =
          () ->
              context.sessions().stream()
                  .map(session -> session.view().address())
                  .anyMatch(address -> address.endsWith(suffix));
      if (context.loop().submit(isHere).get()) {
        found.add(client);
      }
    }
    return found;
  }

  private static void begin(WireClient client) throws IOException {
    client.query("begin");
    assertThat(client.query("select 1")).isEqualTo("1");
  }

  /** No more are open at any time; a server ends what has been closed a moment later. */
  private void awaitServerConnections(int count) throws Exception {
    assertThat(openCount()).isEqualTo(count);
    Await.until(count + " are open", () -> serverConnections() == count);
    assertThat(openCount()).isEqualTo(count);
  }

  private int openCount() throws Exception {
    int open = 0;
    for (SessionContext loop : proxy.server().loops()) {
      for (ShardPool pool : pools(loop)) { // one shard
        open += loop.loop().submit(pool::openCount).get();
      }
    }
    return open;
  }

  private int serverConnections() throws SQLException {
    try (Connection direct = proxy.shard(0);
        Statement statement = direct.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select count(*) from pg_stat_activity where datname = current_database() and"
                    + " application_name in ('shardmark', '') and backend_type = 'client backend'")) {
      assertThat(row.next()).isTrue();
      return row.getInt(1);
    }
  }

  @Test
  void oneLoopCanUseAllAndGivesBackWhatItDoesNotUse() throws Exception {
    List<WireClient> first = clients(0, POOL_SIZE);
    for (WireClient client : first) {
      begin(client);
    }
    awaitServerConnections(POOL_SIZE);
    for (WireClient client : first) {
      client.query("commit");
    }
    for (WireClient client : clients(1, POOL_SIZE)) {
      begin(client);
    }
    awaitServerConnections(POOL_SIZE);
  }

  @Test
  void aLoopGetsItsShareThoughAnotherHasClientsWaiting() throws Exception {
    List<WireClient> first = clients(0, POOL_SIZE);
    for (WireClient client : first) {
      begin(client);
    }
    List<WireClient> waiting = clients(0, 2);
    waiting.forEach(client -> client.sendQuery("select 2"));
    WireClient other = clients(1, 1).get(0);
    other.sendQuery("select 3");
    Await.until("all three wait", () -> waitingCount() == 3);
    Await.until("the other loop has said what it wants", () -> wantsShare(1));
    first.get(0).query("commit");
    assertThat(other.answer()).isEqualTo("3");
    // The two that wait may be about to take it over.
    assertThat(openCount()).isLessThanOrEqualTo(POOL_SIZE);
    Await.until("no more are open", () -> serverConnections() <= POOL_SIZE);
    first.get(1).query("commit");
    for (WireClient client : waiting) {
      assertThat(client.answer()).isEqualTo("2");
    }
  }

  /** What servers report is asked for once, not by the first client of each loop. */
  @Test
  void clientsAreLetInThoughAllConnectionsAreInUse() throws Exception {
    int loops = 8; // so many that the first clients leave some loop without any
    proxy.close();
    start(loops, loops);
    for (int i = 0; i < loops; i++) {
      WireClient client = proxy.login();
      all.add(client);
      begin(client);
    }
    awaitServerConnections(loops);
    for (int loop = 0; loop < loops; loop++) {
      assertThat(clients(loop, 1)).hasSize(1);
    }
  }

  private int waitingCount() throws Exception {
    int count = 0;
    for (SessionContext loop : proxy.server().loops()) {
      for (ShardPool pool : pools(loop)) { // one shard
        count += loop.loop().submit(pool::waitingCount).get();
      }
    }
    return count;
  }

  private boolean wantsShare(int loop) throws Exception {
    SessionContext context = proxy.server().loops().get(loop);
    List<ShardPool> pools = pools(context);
    return !pools.isEmpty() && context.loop().submit(pools.get(0)::wantsShare).get();
  }

  private static List<ShardPool> pools(SessionContext loop) throws Exception {
    return loop.loop().submit(() -> loop.pools().of("postgres")).get();
  }
}
