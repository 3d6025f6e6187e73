package io.shardmark.driver.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.UsageException;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SweepArgumentsTest {
  @TempDir private Path directory;

  @BeforeEach
  void files() throws IOException {
    for (String name : List.of("props.pg", "sharded.properties", "plain", "props.logs", "a=b")) {
      Files.writeString(directory.resolve(name), "db=postgres\n");
    }
  }

  private SweepArguments parse(String... words) {
    List<String> full = new ArrayList<>();
    for (String word : words) {
      full.add(word.replace("DIR", directory.toString()));
    }
    return SweepArguments.parse(full);
  }

  @Test
  void namesComeFromFilesOrStandBeforeThem() {
    SweepArguments arguments =
        parse("DIR/props.pg", "DIR/sharded.properties", "x=DIR/plain", "y=DIR/a=b");

    assertThat(arguments.files().keySet()).containsExactly("pg", "sharded", "x", "y");
    assertThat(arguments.files()).containsEntry("y", directory.resolve("a=b"));
    assertThat(arguments.overrides()).isEmpty();
  }

  @Test
  void keysFollowTheFilesInAnyCase() {
    assertThat(parse("DIR/plain", "WAREHOUSES", "3", "runmins", "0.5").overrides())
        .isEqualTo(Map.of("warehouses", "3", "runMins", "0.5"));
  }

  @Test
  void aParameterIsAKeyOrAnOptionOfEmbeddedServers() throws IOException {
    Files.writeString(
        directory.resolve("props.two"), "db=postgres\nconn=embedded:sharded?shards=2&fsync=off\n");
    SweepArguments arguments = parse("DIR/props.two", "runMins", "1");

    List<SweepDatabase> byShards = arguments.databases("shards=1,12");
    List<SweepDatabase> byTries = arguments.databases("RETRIES=0,5");

    assertThat(byShards)
        .extracting(SweepDatabase::name)
        .containsExactly("two-shards-1", "two-shards-12");
    assertThat(byShards)
        .extracting(database -> database.properties().connection().url())
        .containsExactly(
            "embedded:sharded?fsync=off&shards=1", "embedded:sharded?fsync=off&shards=12");
    assertThat(byTries)
        .extracting(SweepDatabase::overrides)
        .containsExactly(
            Map.of("runMins", "1", "retries", "0"), Map.of("runMins", "1", "retries", "5"));
    assertThat(arguments.databases(null)).extracting(SweepDatabase::name).containsExactly("two");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          warehouses 3                            | sweep: no properties file is named: expected one or more
          nothing                                 | nothing: no such file, nor a key of properties files
          DIR/plain runMinz 3                     | runMinz: no such file, nor a key of properties files: did you mean 'runMins'?
          DIR/nothing                             | DIR/nothing: no such file
          DIR/plain DIR/plain                     | DIR/plain and DIR/plain would both be 'plain': expected different names; NAME=DIR/plain gives one another
          DIR/plain warehouses 3 foo 4            | command line: unknown key 'foo'
          DIR/plain warehouses                    | command line: key 'warehouses' has no value
          DIR/plain warehouses 3 Warehouses 4     | command line: key 'warehouses' is given twice
          DIR/plain terminals 3                   | command line: key 'terminals' cannot be set for a whole sweep: expected --terminals N,N,...
          DIR/plain password x                    | command line: key 'password' cannot be set for a whole sweep: the properties file or the sweep itself sets it
          DIR/props.logs                          | DIR/props.logs: 'logs' cannot be the name of a database here: expected letters, digits, '.', '_' or '-', and none of logs, aside, hold; NAME=DIR/props.logs gives it another
          ../x=DIR/plain                          | ../x=DIR/plain: '../x' cannot be the name of a database here: expected letters, digits, '.', '_' or '-', and none of logs, aside, hold; NAME=DIR/plain gives it another
          """)
  void refusesInOneLine(String words, String message) {
    assertThatThrownBy(() -> parse(words.split(" ", -1)))
        .isInstanceOf(words.equals("DIR/nothing") ? ConfigException.class : UsageException.class)
        .hasMessage(message.replace("DIR", directory.toString()));
  }
}
