package io.shardmark.driver.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PublishedFileTest {
  private static final String GOOD =
      """
      {"schema": "shardmark-published", "schemaVersion": 1, "title": "T", "publisher": "P",
       "systems": [{"name": "S", "points": [
         {"warehouses": 1, "terminals": 5, "tpmC": 10.5},
         {"warehouses": 1, "terminals": 9, "tpmC": 20.5, "tpmTotal": 41,
          "latencyMillis": {"NEW_ORDER": {"count": 3, "p90": 7}}}]}]}
      """;

  @TempDir private Path temporary;

  private Path write(String text) throws IOException {
    return Files.writeString(temporary.resolve("published.json"), text);
  }

  @Test
  void readsTheLeastThatIsNeeded() throws IOException {
    write(GOOD);
    ComparedSystem system = PublishedFile.read(temporary).systems().get(0).builder().build("S");
    assertThat(system.points()).hasSize(2);
    assertThat(system.points().get(0).mean(Yardstick.TPC_C.main())).isEqualTo(10.5);
    assertThat(system.points().get(0).mean(Yardstick.TPC_C.metrics().get(1))).isNaN();
    assertThat(system.points().get(1).latency("NEW_ORDER").orElseThrow().p90()).isEqualTo(7);
    assertThat(system.points().get(1).latency("NEW_ORDER").orElseThrow().p99()).isNaN();
    assertThat(system.label()).isEqualTo("S (published)");
  }

  @Test
  void aBenchmarkOfItsOwnHasItsMetricsAndMayNotSayItsScale() throws IOException {
    write(
        """
        {"schema": "shardmark-published", "schemaVersion": 1, "title": "T", "publisher": "P",
         "judgedBy": {"benchmark": "BMT", "scale": "rows", "metrics": [{"name": "tps", "unit": "/s"}]},
         "systems": [{"name": "S", "points": [{"terminals": 8, "tps": 45119}]}]}
        """);
    PublishedFile.Figures figures = PublishedFile.read(temporary);
    assertThat(figures.yardstick().scale()).isEqualTo("rows");
    ComparedSystem system = figures.systems().get(0).builder().build("S");
    assertThat(system.points().get(0).mean(figures.yardstick().main())).isEqualTo(45119);
    assertThat(system.points().get(0).place().text()).isEqualTo("? rows, 8 terminals");
  }

  @Test
  void insertsAreComparedWithInsertsAndDeletesWithDeletes() throws IOException {
    PublishedTable figure5 = tables("published-bmt-2015").get(0);
    assertThat(percents(figure5.ratios().get(0))).containsExactly(100L, 133L, 153L);
    assertThat(percents(figure5.ratios().get(1))).containsExactly(100L, 138L, 166L);
    assertThat(figure5.ratios()).hasSize(2);
  }

  @Test
  void theRatiosOfTheReplicationTestsAreThoseThatTheSourcePrints() throws IOException {
    List<PublishedTable> tables = tables("published-replication-2015");
    assertThat(percents(tables.get(0).ratios().get(0))).containsExactly(45L, 52L, 67L);
    assertThat(percents(tables.get(0).ratios().get(2))).containsExactly(100L, 121L, 153L);
    assertThat(percents(tables.get(1).ratios().get(0))).containsExactly(107L, 182L);
    assertThat(percents(tables.get(2).ratios().get(0))).containsExactly(100L, 132L, 152L, 198L);
  }

  @Test
  void theClaimsOfTheSourceAreExaminedWithItsFigures() throws IOException {
    assertThat(tables("published-klustron-2023").get(0).findings())
        .containsExactly(
            "Klustron tpmC over Oracle tpmC: 0.16 to 0.71, in the mean 0.43 (published).",
            "Klustron tpmC is greatest at 100 and declines above (published).",
            "Oracle tpmC is greatest at 100 and declines above (published).");
    assertThat(tables("published-replication-2015").get(1).findings())
        .contains("Onload is greatest at 8 and has not declined (published).");
    assertThat(tables("published-bmt-2015").get(0).findings()).isEmpty();
  }

  private static List<PublishedTable> tables(String source) throws IOException {
    return PublishedFile.read(Path.of("..", "results", source)).tables();
  }

  private static List<Long> percents(PublishedTable.Derived ratio) {
    return ratio.published().stream().map(one -> Math.round(one * 100)).toList();
  }

  @Test
  void tablesOfTheirOwnAxisNeedNoSystems() throws IOException {
    PublishedFile.Figures figures =
        PublishedFile.read(Path.of("..", "results", "published-infinisql"));
    assertThat(figures.systems()).isEmpty();
    PublishedTable nodes = figures.tables().get(0);
    assertThat(nodes.rows()).containsExactly("1", "2", "4", "6", "8", "10", "12");
    assertThat(nodes.ratios().get(0).published().get(6))
        .isCloseTo(534750 / 84400.0, Offset.offset(1e-9));
    assertThat(nodes.isHere()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          shardmark-published    | else     | schema: expected "shardmark-published", found "else"
          "schemaVersion": 1     | "schemaVersion": 2 | schemaVersion: expected 1, found 2
          "title": "T",          | ''       | title: expected a text, found nothing
          "tpmC": 10.5           | "tpmC": "x" | systems[0].points[0].tpmC: expected a number above 0
          "tpmC": 10.5           | "tpmC": 10.5, "seconds": 1e999 | systems[0].points[0].seconds: expected a number above 0
          "tpmC": 10.5           | "tpmC": 0 | systems[0].points[0].tpmC: expected a number above 0
          "terminals": 9         | "terminals": 5 | systems[0].points[1]: is a second point of 1 warehouse, 5 terminals
          "terminals": 9         | "terminals": 0 | systems[0].points[1].terminals: expected a whole number from 1
          "p90": 7               | "p90": "7" | latencyMillis.NEW_ORDER.p90: expected milliseconds
          {"schema"              | {schema" | is no JSON
          """)
  void namesThePlaceOfAFault(String good, String bad, String message) throws IOException {
    assertThat(GOOD).contains(good);
    Path file = write(GOOD.replace(good, bad));
    assertThatThrownBy(() -> PublishedFile.read(file))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message)
        .hasMessageStartingWith(file.toString());
  }
}
