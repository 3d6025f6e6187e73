package io.shardmark.driver.script;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.RunConfig;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TerminalRandom;
import io.shardmark.driver.benchmark.TransactionExecutor;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.Workload;
import java.sql.Connection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Scripts of the user's own. */
final class ScriptWorkload implements Workload {
  private final RunConfig run;
  private final boolean isPostgres;
  private final ScriptMix mix;

  ScriptWorkload(Settings settings) {
    run = settings.run();
    isPostgres = settings.connection().database() == DatabaseKind.POSTGRES;
    mix = ScriptMix.of(settings.values());
    if (mix.hasPipeline() && !isPostgres) {
      throw new ConfigException(
          "\\startpipeline: expected db=postgres, not db=%s"
              .formatted(settings.connection().database().propertyName()));
    }
  }

  @Override
  public List<TransactionType> types() {
    return mix.parts().stream().map(ScriptMix.WeightedScript::type).toList();
  }

  @Override
  public void prepare(Connection connection) {
    // The tables are the user's: what is missing is seen when a statement asks for it.
  }

  @Override
  public Terminal newTerminal(int index) {
    Map<String, Value> variables = new HashMap<>();
    variables.put(VariableNames.SCALE, new Value.Whole(1));
    variables.put(VariableNames.CLIENT_ID, new Value.Whole((long) run.firstTerminal() + index));
    variables.put(VariableNames.RANDOM_SEED, new Value.Whole(run.seed()));
    variables.put(VariableNames.DEFAULT_SEED, new Value.Whole(Hashes.murmur2(run.seed(), 0)));
    variables.putAll(mix.given());
    return new ScriptTerminal(mix, TerminalRandom.of(run, index), variables);
  }

  @Override
  public TransactionExecutor newExecutor(Connection connection) {
    return new ScriptExecutor(connection, mix.variables(), isPostgres);
  }

  @Override
  public List<String> announcement() {
    return List.of("The tables are yours: nothing of them is checked, before the run or after it.");
  }

  @Override
  public Map<String, String> facts() {
    Map<String, String> facts = new LinkedHashMap<>();
    mix.parts()
        .forEach(
            part ->
                facts.put(
                    part.type().name(),
                    "%s, weight %d, CRC-32 %s"
                        .formatted(part.file(), part.weight(), part.checksum())));
    return facts;
  }
}
