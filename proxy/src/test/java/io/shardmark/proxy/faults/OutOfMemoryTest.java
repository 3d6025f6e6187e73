package io.shardmark.proxy.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A message that does not fit into the proxy's memory ends its own session, in a clear line. */
final class OutOfMemoryTest {
  @TempDir private Path directory;

  @Test
  void othersGoOn() throws Exception {
    try (Cluster cluster = new Cluster(new Trap());
        ProxyProcess proxy =
            ProxyProcess.start(directory, cluster.proxyConfig(), "-XX:MaxDirectMemorySize=24m")) {
      String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/bench";
      try (Connection other = DriverManager.getConnection(url, "bench", "bench");
          Connection big = DriverManager.getConnection(url, "bench", "bench");
          Statement statement = big.createStatement()) {
        other.setAutoCommit(false);
        try (Statement change = other.createStatement()) {
          change.executeUpdate("update account set balance = balance + 1");
          String text = "select 1 /* " + "x".repeat(40_000_000) + " */";
          // The connection may break before the client has read why.
          assertThatThrownBy(() -> statement.execute(text)).isInstanceOf(SQLException.class);
          Await.until(
              "it says so", () -> proxy.logTail().contains("session of bench ends: out of memory"));
          assertThat(proxy.logTail()).doesNotContain("internal error");
          change.executeUpdate("update account set balance = balance - 1");
        }
        other.commit();
      }
    }
  }
}
