package io.shardmark.driver.tpcb;

import io.shardmark.config.ConfigException;
import io.shardmark.config.KeyType;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.MetricRule;
import io.shardmark.driver.benchmark.OperationMix;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TerminalRandom;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import io.shardmark.sql.shards.ShardMap;
import io.shardmark.sql.shards.TablePlacement;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** pgbench's transactions. */
final class TpcbWorkload implements Workload {
  private final RunConfig run;
  private final TpcbScale scale;
  private final OperationMix<TpcbScript> mix;
  private final TpcbExecutor.Form form;
  private List<TablePlacement> placements = List.of();

  TpcbWorkload(Settings settings) {
    run = settings.run();
    scale = TpcbScale.of(settings.values());
    mix = TpcbScript.mix(settings.values());
    form = settings.values().constant(TpcbKey.STATEMENTS, TpcbExecutor.Form.class);
  }

  @Override
  public List<TransactionType> types() {
    return mix.types();
  }

  @Override
  public List<MetricRule> metrics() {
    return List.of(
        MetricRule.rate("tps", "/s", MetricRule.Computation.COMMITS_PER_SECOND),
        MetricRule.rate("medianSecond", "/s", MetricRule.Computation.MEDIAN_SECOND),
        MetricRule.rate("bestSecond", "/s", MetricRule.Computation.BEST_SECOND));
  }

  @Override
  public void prepare(Connection connection) throws SQLException {
    scale.requireTables(connection);
    TpcbScale.requireHistory(mix, connection);
    if (form == TpcbExecutor.Form.FUNCTION) {
      TpcbScale.requireFunction(connection);
    }
  }

  @Override
  public void spreadOver(ShardMap map) {
    if (form == TpcbExecutor.Form.FUNCTION && map.shards().size() > 1) {
      throw new ConfigException(
          "statements=function: a function cannot reach the rows of another of the %d shards; expected separate or pipelined"
              .formatted(map.shards().size()));
    }
    if (map.shards().size() > 1) {
      placements =
          List.of(
              map.requireTable("pgbench_accounts", "aid"),
              map.requireTable("pgbench_tellers", "tid"),
              map.requireTable("pgbench_branches", "bid"));
    }
  }

  @Override
  public Terminal newTerminal(int index) {
    return new TpcbTerminal(scale, mix, placements, TerminalRandom.of(run, index));
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) throws SQLException {
    return new TpcbExecutor(connection, form);
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("branches", Integer.toString(scale.branches()));
    facts.put("tellers", Integer.toString(scale.tellers()));
    facts.put("accounts", Integer.toString(scale.accounts()));
    facts.put("statements", KeyType.spelled(form));
    return facts;
  }
}
