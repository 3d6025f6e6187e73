package io.shardmark.driver.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.Key;
import io.shardmark.config.KeyUse;
import io.shardmark.config.PropertyKey;
import io.shardmark.driver.registry.Benchmarks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What {@code --help} says is what a user needs first, and is true. */
final class VerbTest {
  private static final Pattern PAGE = Pattern.compile("(?m)^More: (docs/[a-z-]+\\.md)$");

  private static CommandLine verb(String name) {
    return Objects.requireNonNull(Shardmark.commandLine().getSubcommands().get(name), name);
  }

  @Test
  void everyVerbShowsTwoExamplesItsExitStatusesAndAPage() {
    Set<String> verbs = Shardmark.commandLine().getSubcommands().keySet();
    assertThat(verbs).hasSizeGreaterThan(9);
    for (String name : verbs) {
      if (!name.equals("help")) {
        String help = verb(name).getUsageMessage();
        assertThat(help.split("java -jar driver.jar " + name + " ", -1)).as(name).hasSize(3);
        assertThat(help).contains("Exit statuses:", "wrong usage");
        Matcher page = PAGE.matcher(help);
        assertThat(page.find()).as("page of %s", name).isTrue();
        assertThat(Files.exists(Path.of("..", page.group(1)))).as(page.group(1)).isTrue();
        assertThat(help.lines()).allMatch(line -> line.length() <= 100);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "run, CONNECTION RUN",
    "build, CONNECTION LOAD",
    "load, CONNECTION LOAD",
    "verify, CONNECTION",
    "acid, CONNECTION ACID",
    "reset, CONNECTION",
    "destroy, CONNECTION",
    "sql, CONNECTION",
    "sweep, CONNECTION LOAD RUN",
    "report, ''",
    "compare, ''"
  })
  void everyKeyThatAVerbReadsWithTheDefaultWorkloadIsThereAndNoOther(String name, String uses) {
    String help = verb(name).getUsageMessage();
    List<Key> shown = new ArrayList<>(List.of(PropertyKey.values()));
    shown.addAll(Benchmarks.ALL.get(0).keys());
    for (Key key : Benchmarks.KEYS.all()) {
      // Those of other workloads are on their pages.
      boolean read =
          shown.contains(key) && key.uses().stream().map(KeyUse::name).anyMatch(uses::contains);
      assertThat(help.contains("\n  " + key.key() + " ")).as(key.key()).isEqualTo(read);
    }
  }

  @Test
  void aCommandLineHasTheVerbsThatItsWordsName() {
    assertThat(Verb.namedBy("run", "props.pg", "terminals", "2")).containsExactly(Verb.RUN);
    assertThat(Verb.namedBy("props.pg", "sql", "x.sql")).containsExactly(Verb.SQL);
    assertThat(Verb.namedBy("props.pg")).isEmpty();
    assertThat(Verb.namedBy("bulid")).isEmpty();
    assertThat(Verb.namedBy()).containsExactly(Verb.values());
    assertThat(Verb.namedBy("help", "run")).containsExactly(Verb.values());
    assertThat(Verb.namedBy("--help")).containsExactly(Verb.values());
  }

  @Test
  void everyVerbTellsTheVersion() {
    Shardmark.commandLine()
        .getSubcommands()
        .forEach((name, line) -> assertThat(line.getCommandSpec().version()).as(name).hasSize(3));
  }

  @Test
  void everyExampleOfKeysIsUnderstood() {
    for (String name : Set.of("run", "build", "load", "destroy", "sql", "verify", "sweep")) {
      verb(name)
          .getUsageMessage()
          .lines()
          .filter(line -> line.startsWith("  java -jar driver.jar " + name))
          .map(line -> line.replace("  java -jar driver.jar ", "").split(" ", -1))
          .forEach(words -> assertThat(Shardmark.commandLine().parseArgs(words)).isNotNull());
    }
  }
}
