package io.shardmark.driver.verify;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.DatabaseKind;
import io.shardmark.sql.shards.Shard;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.Sharding;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An endpoint that answers no query, and keeps which shards it was asked to go to. */
final class EndpointVerifierTest {
  private final List<String> routes = new ArrayList<>();

  private static <T> T made(Class<T> type, InvocationHandler calls) {
    return type.cast(
        Proxy.newProxyInstance(
            EndpointVerifierTest.class.getClassLoader(), new Class<?>[] {type}, calls));
  }

  private Connection connection() {
    Statement statement =
        made(
            Statement.class,
            (self, method, arguments) -> {
              if (method.getName().equals("executeQuery")) {
                throw new SQLException("no queries", "42601");
              }
              if (method.getName().equals("execute")) {
                routes.add((String) arguments[0]);
                return true;
              }
              return method.getReturnType() == void.class ? null : 0;
            });
    return made(
        Connection.class,
        (self, method, arguments) ->
            switch (method.getName()) {
              case "createStatement" -> statement;
              case "getAutoCommit" -> true;
              default -> null;
            });
  }

  private static ShardMap map(int shards) {
    List<Shard> all = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      all.add(new Shard(i, "s" + (i + 1), "localhost", 5432, "bench"));
    }
    return new ShardMap(Sharding.PROXY, all, Map.of());
  }

  @Test
  void eachCheckAsksTheShardsThatThereAreThen() throws Exception {
    List<ShardMap> maps = new ArrayList<>(List.of(map(2), map(3)));
    Conditions conditions =
        new Conditions() {
          @Override
          public String table() {
            return "t";
          }

          @Override
          public List<Condition> all(DatabaseKind kind) {
            return List.of(Condition.always("1", "nothing is wrong", 1, 1, "SELECT 1"));
          }
        };
    EndpointVerifier verifier =
        new EndpointVerifier(
            this::connection, DatabaseKind.POSTGRES, () -> Optional.of(maps.remove(0)), 1);

    verifier.runAlways(conditions);
    assertThat(routes).contains("SET shardmark.shard = 's2'");
    assertThat(routes).doesNotContain("SET shardmark.shard = 's3'");
    verifier.runAlways(conditions);
    assertThat(routes).contains("SET shardmark.shard = 's3'");
  }

  @Test
  void aLoadStateThatCannotBeReadIsToldInOneLine() throws Exception {
    Conditions conditions =
        new Conditions() {
          @Override
          public String table() {
            return "t";
          }

          @Override
          public List<Condition> all(DatabaseKind kind) {
            return List.of(Condition.afterLoad("1", "as it was loaded", 1, 1, "SELECT 1"));
          }

          @Override
          public LoadState loadState(Connection connection) throws SQLException {
            throw new SQLException("ERROR: no such column\n  Position: 8");
          }
        };

    assertThat(
            new EndpointVerifier(this::connection, DatabaseKind.POSTGRES, Optional::empty, 1)
                .run(conditions)
                .results())
        .extracting(ConditionResult::reason)
        .containsExactly("ERROR: no such column");
  }
}
