package io.shardmark.driver.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.benchmark.Terminal;
import io.shardmark.driver.benchmark.TestProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files that a properties file names, their weights, and the variables given with them. */
final class ScriptMixTest {
  @TempDir private Path directory;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(directory.resolve("new-order.sql"), "\\set a random(1, 1000000)\nSELECT :a;");
    Files.writeString(directory.resolve("b.sql"), "SELECT :scale, :client_id, :top;");
  }

  /** A {@code ~} in the value stands for the directory. */
  private BenchmarkProperties properties(String scripts, String variables) {
    String text =
        """
        terminals=3
        runMins=1
        runTxnsPerTerminal=0
        seed=5
        workload=script:%s
        scriptVariables=%s
        """
            .formatted(scripts.replace("~", directory + "/"), variables);
    return TestProperties.of(text);
  }

  private ScriptWorkload workload(String scripts, String variables) {
    return new ScriptWorkload(Settings.of(new ScriptBenchmark(), properties(scripts, variables)));
  }

  @Test
  void filesAreTypesByTheirNamesAndWeightsAreShares() {
    ScriptWorkload workload = workload("~new-order.sql@3, ~b.sql", "top=5, scale=7");
    assertThat(workload.types()).extracting("name").containsExactly("NEW_ORDER", "B");
    List<String> drawn = new ArrayList<>();
    Terminal terminal = workload.newTerminal(0);
    for (int i = 0; i < 1000; i++) {
      drawn.add(terminal.next().type().name());
    }
    assertThat(drawn.stream().filter("B"::equals).count()).isBetween(190L, 310L);
    BenchmarkProperties properties = properties("~b.sql", "top=5, scale=7");
    assertThat(new ScriptBenchmark().scale(properties.values()).size()).isEqualTo(7);
  }

  @Test
  void aSeedGivesEachTerminalItsOwnSequenceEveryTime() {
    List<List<Long>> sequences = new ArrayList<>();
    for (int terminal : new int[] {0, 0, 1}) {
      Terminal drawing = workload("~new-order.sql", "").newTerminal(terminal);
      List<Long> sequence = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        sequence.add(((ScriptTerminal.ScriptInput) drawing.next()).seed());
      }
      sequences.add(sequence);
    }
    assertThat(sequences.get(0)).isEqualTo(sequences.get(1)).isNotEqualTo(sequences.get(2));
  }

  @Test
  void terminalsStartWithTheVariablesThatAreGiven() {
    ScriptWorkload workload = workload("~b.sql", "top=05");
    ScriptTerminal.ScriptInput input = (ScriptTerminal.ScriptInput) workload.newTerminal(2).next();
    ScriptCommand.Execute step = (ScriptCommand.Execute) input.steps().get(0);
    ScriptScope scope = input.newScope();
    assertThat(step.statement().parameters())
        .extracting(parameter -> scope.get(parameter).text())
        .containsExactly("1", "2", "05");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "~b.sql@0 | top=1 | expected a weight above 0",
        "~b.sql@0, ~new-order.sql@0 | top=1 | expected a weight above 0",
        "~b.sql@x | top=1 | expected a script file that can be read: ",
        "~b.sql@9999999 | top=1 | expected script:FILE.sql or script:FILE.sql@weight",
        "~b.sql, | top=1 | expected script:FILE.sql or script:FILE.sql@weight",
        "~b.sql,~b.sql | top=1 | expected files with different names, each once",
        "~b.sql | scale=1 | b.sql:1: the variable :top is set nowhere",
        "~b.sql | top | scriptVariables=top: expected name=value, ...",
        "~b.sql | top=1,top=2 | scriptVariables=top=1,top=2: expected each variable once",
      })
  void mistakesAreRefused(String scripts, String variables, String message) {
    assertThatThrownBy(() -> workload(scripts, variables))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }
}
