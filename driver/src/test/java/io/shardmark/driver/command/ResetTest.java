package io.shardmark.driver.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.shards.Shard;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@code reset} sends where. */
final class ResetTest {
  private static final List<String> STATEMENTS = List.of("DELETE", "VACUUM ANALYZE");

  private final List<String> sent = new ArrayList<>();

  private Connection connection() {
    Statement statement =
        (Statement)
            Proxy.newProxyInstance(
                ResetTest.class.getClassLoader(),
                new Class<?>[] {Statement.class},
                (self, method, arguments) -> {
                  if (arguments == null) {
                    return null;
                  }
                  sent.add((String) arguments[0]);
                  return method.getName().equals("execute") ? (Object) false : (Object) 3;
                });
    return (Connection)
        Proxy.newProxyInstance(
            ResetTest.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (self, method, arguments) ->
                method.getName().equals("createStatement") ? statement : null);
  }

  private long reset(List<Shard> shards) throws SQLException {
    ConnectionSource endpoint = this::connection;
    return ResetCommand.execute(endpoint, shards, STATEMENTS);
  }

  @Test
  void oneServerIsResetAsAWhole() throws SQLException {
    assertThat(reset(List.of())).isEqualTo(6);
    assertThat(sent).containsExactlyElementsOf(STATEMENTS);
  }

  /** Runs over shards would otherwise begin with dead rows that one server has not. */
  @Test
  void eachShardIsVacuumedAsOneServerIs() throws SQLException {
    assertThat(reset(List.of(new Shard(0, "s1", "h", 1, "s1"), new Shard(1, "s2", "h", 1, "s2"))))
        .isEqualTo(12);
    assertThat(sent)
        .containsExactly(
            "SET shardmark.shard = 's1'",
            "DELETE",
            "VACUUM ANALYZE",
            "SET shardmark.shard = 's2'",
            "DELETE",
            "VACUUM ANALYZE");
  }
}
