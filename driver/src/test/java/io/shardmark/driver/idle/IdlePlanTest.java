package io.shardmark.driver.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.IdleConfig;
import io.shardmark.config.IsolationLevel;
import io.shardmark.config.Secret;
import io.shardmark.config.ShardMapUse;
import io.shardmark.driver.processes.ListeningProcess;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class IdlePlanTest {
  /** No server is asked: nothing listens at these. */
  private static final String SIX =
      "jdbc:postgresql://db1:1,db2:2,db3:3,db4:4,db5:5,db6:6/bench?loadBalanceHosts=true";

  private static ConnectionConfig connection(String url) {
    return new ConnectionConfig(
        DatabaseKind.POSTGRES,
        "org.postgresql.Driver",
        url,
        "user",
        new Secret("secret"),
        Duration.ofSeconds(30),
        Duration.ZERO,
        IsolationLevel.DEFAULT,
        ShardMapUse.AUTO);
  }

  private static IdleConfig idle(int sessions, String... sources) {
    return new IdleConfig(sessions, List.of(sources), Duration.ZERO);
  }

  @Test
  void dealsTheSessionsOutToProcessesAndEndpoints() {
    IdlePlan plan = IdlePlan.of(idle(100_800), connection(SIX), 20_000);
    assertThat(plan.orders()).hasSize(6);
    assertThat(plan.orders()).allMatch(orders -> orders.count() == 16_800);
    assertThat(plan.orders().stream().map(IdleOrders::first)).contains(0, 16_800, 84_000);
    assertThat(plan.endpoints()).allMatch(place -> place.sessions() == 16_800);
    assertThat(plan.orders().get(0).database()).isEqualTo("bench");
  }

  @Test
  void ordersAreReadAsTheyWereWritten() throws IOException {
    IdleOrders orders =
        IdlePlan.of(idle(600, "127.0.0.2"), connection(SIX), 20_000).orders().get(0);
    ByteArrayOutputStream pipe = new ByteArrayOutputStream();
    orders.write(new DataOutputStream(pipe));
    pipe.write(IdleOrders.OPEN);
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(pipe.toByteArray()));
    assertThat(IdleOrders.read(in)).isEqualTo(orders);
    assertThat(in.read()).as("the order behind them").isEqualTo(IdleOrders.OPEN);
  }

  @Test
  void everySourceMeetsEveryEndpoint() {
    IdleOrders orders =
        IdlePlan.of(idle(600, "127.0.0.2", "127.0.0.3", "127.0.0.4"), connection(SIX), 20_000)
            .orders()
            .get(0);
    long pairs =
        IntStream.range(0, 600)
            .mapToObj(session -> orders.source(session) + orders.endpoint(session))
            .distinct()
            .count();
    assertThat(pairs).isEqualTo(18);
  }

  @Test
  void tooFewFileHandlesAreRefusedWithTheirNumber() {
    assertThatThrownBy(() -> IdlePlan.of(idle(100_800), connection(SIX), 1024))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("idleSessions=100800: a process may open 1024 files here")
        .hasMessageContaining("ulimit -n 20000");
    assertThatThrownBy(() -> IdlePlan.of(idle(1), connection(SIX), 64))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("64 files");
  }

  @Test
  void anAddressOfAnotherMachineIsRefused() {
    assertThatThrownBy(() -> IdlePlan.of(idle(10, "192.0.2.1"), connection(SIX), 20_000))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("idleSources: 192.0.2.1 is no address of this machine");
  }

  @Test
  void moreSessionsThanPortsAreRefused() {
    assertThatThrownBy(
            () -> IdlePlan.of(idle(100_800), connection("jdbc:postgresql://db1/bench"), 20_000))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("addresses of this machine in idleSources");
  }

  @Test
  void findsTheProcessThatListens() throws Exception {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      IdlePlan plan =
          IdlePlan.of(
              idle(1),
              connection("jdbc:postgresql://127.0.0.1:%d/x".formatted(socket.getLocalPort())),
              20_000);
      ListeningProcess listener = plan.endpoints().get(0).listener().orElseThrow();
      assertThat(listener.pid()).isEqualTo(ProcessHandle.current().pid());
      assertThat(listener.residentBytes().orElseThrow()).isGreaterThan(10 << 20);
    }
  }
}
