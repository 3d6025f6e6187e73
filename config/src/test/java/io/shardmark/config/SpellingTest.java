package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class SpellingTest {
  @ParameterizedTest
  @CsvSource({
    "warehouse, warehouses",
    "Warehouses, warehouses",
    "wharehouses, warehouses",
    "terminal, terminals",
    "runMin, runMins",
    "runmins, runMins",
    "rumMisn, runMins",
    "runTxnPerTerminal, runTxnsPerTerminal",
    "newOrderWieght, newOrderWeight",
    "osCollectorSshAddr, osCollectorSSHAddr",
    "passwd, password",
    "con, conn",
    "users, user",
    "DB, db",
    "reties, retries"
  })
  void suggestsTheKeyThatWasMeant(String misspelt, String meant) {
    assertThat(Spelling.suggestion(misspelt, TestCatalog.TPCC.all()).map(Key::key)).contains(meant);
  }

  /** Keys of BenchmarkSQL 6.0, of forks, and lines that were meant as comments. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "application",
        "monkeys",
        "sutThreads",
        "maxDeliveryBGThreads",
        "useWarehouseFrom",
        "useWarehouseTo",
        "rampupSUTMins",
        "terminalMultiplier",
        "rollbackPercent",
        "reportScript",
        "traceTerminalIO",
        "dbname",
        "dp",
        "url",
        "//warehouses",
        "//",
        "--warehouses",
        ";warehouses",
        ""
      })
  void leavesOthersAlone(String key) {
    assertThat(Spelling.suggestion(key, TestCatalog.TPCC.all())).isEmpty();
  }

  @Test
  void everyKeySuggestsItself() {
    for (Key key : TestCatalog.TPCC.all()) {
      assertThat(Spelling.suggestion(key.key(), TestCatalog.TPCC.all())).contains(key);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "abc, abc, 0",
    "abc, abd, 1",
    "abc, acb, 1",
    "abc, ab, 1",
    "abc, xabc, 1",
    "ab, ba, 1",
    "kitten, sitting, 3"
  })
  void countsTypingErrors(String a, String b, int errors) {
    assertThat(Spelling.distance(a, b)).isEqualTo(errors);
    assertThat(Spelling.distance(b, a)).isEqualTo(errors);
  }
}
