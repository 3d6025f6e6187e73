package io.shardmark.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.sql.StatementSplitter;
import io.shardmark.proxy.sql.Target;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of routes: SQL and parameters to shards or a refusal. */
class RouteTableTest {
  private static final ShardMap MAP = TestCluster.map();

  record Line(int number, String sql, List<String> parameters, String expected) {
    @Override
    public String toString() {
      return number + ": " + sql;
    }
  }

  static Stream<Line> routes() throws IOException {
    return Stream.concat(lines("routes.txt").stream(), lines("workloads.txt").stream());
  }

  private static List<Line> lines(String resource) throws IOException {
    List<Line> lines = new ArrayList<>();
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                Objects.requireNonNull(RouteTableTest.class.getResourceAsStream(resource)),
                StandardCharsets.UTF_8))) {
      int number = 0;
      StringBuilder statement = new StringBuilder();
      for (String text = reader.readLine(); text != null; text = reader.readLine()) {
        number++;
        if (text.isBlank() || text.startsWith("#")) {
          continue;
        }
        statement.append(statement.isEmpty() ? "" : "\n").append(text);
        int arrow = statement.lastIndexOf(" => ");
        if (arrow >= 0) {
          lines.add(line(number, statement.substring(0, arrow), statement.substring(arrow + 4)));
          statement.setLength(0);
        }
      }
      assertThat(statement).as("a line without =>").isEmpty();
    }
    return lines;
  }

  private static Line line(int number, String left, String expected) {
    int parameters = left.lastIndexOf(" <- ");
    if (parameters < 0) {
      return new Line(number, left.strip(), List.of(), expected.strip());
    }
    List<String> values =
        Stream.of(left.substring(parameters + 4).split(";", -1)).map(String::strip).toList();
    return new Line(number, left.substring(0, parameters).strip(), values, expected.strip());
  }

  @ParameterizedTest
  @MethodSource("routes")
  void routesAsTheTableSays(Line line) {
    MapPlans cache = new PlanCache(TestCluster.DDL).of(MAP);
    PlannedStatement parsed = cache.planParse(line.sql(), List.of("public"));
    check(line, Shown.route(parsed, new Shown.TextParameters(line.parameters())));
    if (line.parameters().isEmpty()) {
      String statement = StatementSplitter.split(line.sql()).get(0);
      for (int i = 0; i < 2; i++) {
        SimpleStatement simple = cache.planSimple(statement, List.of("public")).get(0);
        assertThat(simple.planned().sql()).isEqualTo(statement);
        check(line, Shown.route(simple));
      }
    }
  }

  private static void check(Line line, String shown) {
    if (line.expected().startsWith("refused")) {
      assertThat(shown).startsWith("refused").contains(line.expected().substring(7).strip());
    } else {
      assertThat(shown).isEqualTo(line.expected());
    }
  }

  @ParameterizedTest
  @MethodSource("routes")
  void oneShardTakesEverythingButWhatTheProxyItselfDoes(Line line) {
    MapPlans cache = new PlanCache(TestCluster.DDL).of(TestCluster.oneShard());
    StatementPlan plan = cache.planParse(line.sql(), List.of("public")).plan();
    if (plan instanceof StatementPlan.QueryPlan query) {
      assertThat(query.target()).isEqualTo(new Target.Fixed(0));
      assertThat(query.strategy()).isEqualTo(new ScatterStrategy.Sum());
    } else {
      assertThat(plan).isNotNull();
    }
  }
}
