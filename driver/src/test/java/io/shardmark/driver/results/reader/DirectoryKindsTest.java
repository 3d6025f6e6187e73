package io.shardmark.driver.results.reader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.report.HtmlReport;
import io.shardmark.driver.results.reader.RunData.Origin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Directories as they are found: of other versions, cut short, with files missing. */
final class DirectoryKindsTest {
  private static final String HEADER = "run,elapsed,latency,dblatency,ttype,rbk,dskipped,error\n";

  @TempDir private Path temporary;

  /** Both that it can be read, and that a page comes of it. */
  private static RunData read(Path directory) throws IOException {
    RunData run = ResultReader.read(directory);
    assertThat(HtmlReport.write(run, directory)).isNotEmptyFile();
    return run;
  }

  private Path benchmarkSql(String version) throws IOException {
    StringBuilder csv = new StringBuilder(HEADER);
    List<String> types = List.of("NEW_ORDER", "PAYMENT", "ORDER_STATUS", "STOCK_LEVEL", "DELIVERY");
    for (int i = 0; i < 1000; i++) {
      csv.append("1,%d,%d,%d,%s,0,0,0\n".formatted(i * 60, i % 40, i % 40, types.get(i % 5)));
    }
    Path root = SampleDirectories.benchmarkSql(temporary, csv.toString());
    Path info = root.resolve("data/runInfo.csv");
    Files.writeString(info, Files.readString(info).replace("simple,5.0", "simple," + version));
    return root;
  }

  @Test
  void benchmarkSql50WithItsCollectorsFiles() throws IOException {
    Path root = benchmarkSql("5.0");
    Files.writeString(
        root.resolve("data/sys_info.csv"),
        """
        run,elapsed,cpu_user,cpu_nice,cpu_system,cpu_idle,cpu_iowait,cpu_irq,cpu_softirq,cpu_steal,cpu_guest,cpu_guest_nice,vm_nr_dirty
        1,1000,0.58,0.135,0.26,0.0,0.0,0.0,0.015,0.01,0.0,0.0,62322
        1,2000,0.38,0.135,0.46,0.0,0.0,0.0,0.015,0.01,0.0,0.0,62324
        """);
    Files.writeString(
        root.resolve("data/blk_vda.csv"),
        """
        run,elapsed,device,rdiops,rdmerges,rdkbps,wriops,wrmerges,wrkbps
        1,1000,blk_vda,153.0,0.0,1592.0,441.0,0.0,2836.0
        """);
    Files.writeString(
        root.resolve("data/net_lo.csv"),
        """
        run,elapsed,device,rxpktsps,rxkbps,txpktsps,txkbps
        1,1000,net_lo,7377.0,2369.2578125,7378.0,2369.2578125
        """);
    RunData run = read(root);
    assertThat(run.result().run().product()).isEqualTo("BenchmarkSQL 5.0");
    assertThat(run.resources().system().orElseThrow().mean("cpu_user"))
        .isCloseTo(0.48, within(1e-9));
    assertThat(run.resources().devices()).containsOnlyKeys("blk_vda", "net_lo");
    assertThat(run.types()).filteredOn(type -> type.result().count() == 200).hasSize(5);
    assertThat(run.missing()).contains("Never occurred: DELIVERY_BG.");
  }

  @Test
  void benchmarkSql51WithWhatItsOwnReportLeft() throws IOException {
    Path root = benchmarkSql("5.1devel");
    Files.writeString(
        root.resolve("run.properties"),
        "db=oracle\npassword=tiger\nnewOrderWeight=43.47826\n//osCollectorSSHAddr=user@dbhost\n");
    Files.writeString(
        root.resolve("data/tx_summary.csv"),
        "tx_name,tx_count,tx_percent,tx_90th,tx_avg,tx_max,tx_limit,tx_rbk,tx_error,tx_dskipped\n");
    Files.writeString(root.resolve("data/cpu_summary.csv"), "cpu_category,cpu_usage\n");
    RunData run = read(root);
    assertThat(run.result().run().product()).isEqualTo("BenchmarkSQL 5.1devel");
    assertThat(run.origin()).isEqualTo(Origin.BENCHMARKSQL);
    assertThat(run.properties().maskedText()).doesNotContain("tiger");
    assertThat(run.result().headlinePerMinute()).isEqualTo(200);
    assertThat(run.missing())
        .containsExactly(
            "Never occurred: DELIVERY_BG.",
            "data/sys_info.csv is not there: the run had no OS collector.");
  }

  /** With Python 3 the collector of 5.1 deals its complaints out into the files. */
  @Test
  void collectorFilesFullOfSomethingElse() throws IOException {
    Path root = benchmarkSql("5.1devel");
    Files.writeString(
        root.resolve("data/sys_info.csv"), "  File \"<stdin>\", line 42\n    print x\n");
    Files.writeString(root.resolve("data/net_eth0.csv"), "");
    RunData run = read(root);
    assertThat(run.resources().system()).isEmpty();
    assertThat(run.missing())
        .contains(
            "data/sys_info.csv has no columns that could be shown.",
            "data/net_eth0.csv has no columns that could be shown.");
  }

  /** BenchmarkSQL writes 8 KB at a time: Ctrl-C cuts its file in the middle of a row. */
  @Test
  void benchmarkSqlEndedByAKey() throws IOException {
    Path root = benchmarkSql("5.0");
    Path rows = root.resolve("data/result.csv");
    String text = Files.readString(rows);
    Files.writeString(rows, text.substring(0, text.length() / 2 - 3));
    RunData run = read(root);
    assertThat(run.result().interval().seconds()).isBetween(28.0, 32.0);
    assertThat(run.result().headlinePerMinute())
        .as("over the time that the rows cover")
        .isBetween(195.0, 205.0);
    assertThat(run.missing())
        .anyMatch(s -> s.startsWith("The run was cut short"))
        .anyMatch(s -> s.contains("result.csv ends in the middle of a line"));
  }

  @Test
  void aDirectoryOfHeadersAlone() throws IOException {
    Path root = SampleDirectories.benchmarkSql(temporary, HEADER);
    RunData run = read(root);
    assertThat(run.result().transactionCount()).isZero();
    assertThat(run.missing()).contains("data/result.csv has no rows.");
  }

  @Test
  void oursWithEachGrowingFileCutInItsLastLine() throws IOException {
    Path root = SampleDirectories.ours(temporary);
    Files.delete(root.resolve("summary.json"));
    List<String> files =
        List.of("result.csv", "per_second.csv", "errors.csv", "client.csv", "latency.hlog");
    for (String name : files) {
      Path file = root.resolve("data").resolve(name);
      byte[] bytes = Files.readAllBytes(file);
      Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length - 4));
    }
    RunData run = read(root);
    for (String name : files.subList(0, 4)) {
      assertThat(run.missing()).anyMatch(s -> s.startsWith("data/" + name + " ends in the middle"));
    }
    assertThat(run.missing()).anyMatch(s -> s.startsWith("data/latency.hlog: 1 line"));
    assertThat(run.types().get(0).result().count()).isEqualTo(21);
    assertThat(run.resources().clients().values().iterator().next().column("cores_used"))
        .as("of 70, those of the time that the rows cover")
        .hasSize(31);
  }

  @Test
  void aKilledRunStillTellsItsErrorsAndWhatItUsed() throws IOException {
    Path root = SampleDirectories.ours(temporary);
    Files.writeString(
        root.resolve("run.properties"),
        "rampupMins=0.16666666666666666\n",
        StandardOpenOption.APPEND);
    Files.delete(root.resolve("summary.json"));
    RunData run = read(root);
    assertThat(run.result().errors()).hasSize(1);
    assertThat(run.result().errors().get(0).count()).isEqualTo(3);
    assertThat(run.errorsOverTime().lines().get(0).raised().get(21)).isEqualTo(3);
    SampledSeries client = run.resources().clients().values().iterator().next();
    assertThat(client.column("cores_used")).as("without the ramp-up").hasSize(60).containsOnly(0.5);
    assertThat(client.column("gc_max_ms").get(22)).isEqualTo(3);
  }

  /** Nearly at its end: the rates are those of the time that it had. */
  @Test
  void aRunThatWasKilledInItsLastSecondWasCutShort() throws IOException {
    Path root = SampleDirectories.ours(temporary);
    Files.delete(root.resolve("summary.json"));
    Files.writeString(
        root.resolve("data/runInfo.csv"), "run,driverVersion,runMins\n7,Shardmark,1.01\n");
    RunData run = read(root);
    assertThat(run.plannedSeconds()).isCloseTo(60.6, within(1e-9));
    assertThat(run.result().interval().seconds()).isLessThanOrEqualTo(60);
    assertThat(run.missing()).anyMatch(s -> s.startsWith("The run was cut short"));
  }

  @Test
  void aLaterVersionOfTheSummaryIsReadAsFarAsItIsKnown() throws IOException {
    Path root = SampleDirectories.ours(temporary);
    replaceInSummary(root, "\"schemaVersion\" : 2", "\"schemaVersion\" : 3");
    RunData run = read(root);
    assertThat(run.result().headlinePerMinute()).isEqualTo(20);
    assertThat(run.missing()).anyMatch(s -> s.startsWith("summary.json is of a newer version"));
  }

  @Test
  void aSummaryOfSomethingElseIsLeftOut() throws IOException {
    Path root = SampleDirectories.ours(temporary);
    replaceInSummary(root, "shardmark-summary", "somebody-elses");
    RunData run = read(root);
    assertThat(run.missing()).anyMatch(s -> s.startsWith("summary.json is not of the schema"));
    assertThat(run.types().get(0).result().count()).as("from the rows").isEqualTo(21);
  }

  @Test
  void aSummaryCutInHalfIsLeftOut() throws IOException {
    Path root = SampleDirectories.ours(temporary);
    String text = Files.readString(root.resolve("summary.json"));
    Files.writeString(root.resolve("summary.json"), text.substring(0, text.length() / 2));
    RunData run = read(root);
    assertThat(run.missing()).contains("summary.json is no JSON; it was not read.");
    assertThat(run.origin()).isEqualTo(Origin.SHARDMARK);
  }

  /** A page of nothing would hide that there was something. */
  @Test
  void aSummaryThatCannotBeReadAndNothingElseIsRefused() throws IOException {
    Path root = Files.createDirectory(temporary.resolve("alone"));
    Files.writeString(
        root.resolve("summary.json"),
        "{\"schema\": \"shardmark-summary\", \"schemaVersion\": 2, \"types\": 5}");
    assertThatThrownBy(() -> ResultReader.read(root))
        .isInstanceOf(ConfigException.class)
        .hasMessage(root + "/summary.json cannot be read: types: expected a list, found 5");
  }

  /** More than an int holds, in one line. */
  @Test
  void aHistogramMayHoldMoreThanAnyRunDoes() throws IOException {
    Path root = SampleDirectories.ours(temporary);
    Histogram much = new Histogram(3);
    much.recordValueWithCount(1_000_000, 5L << 31);
    Files.writeString(
        root.resolve("data/latency.hlog"),
        "Tag=PAYMENT,0.000,10.000,1.000," + HistogramText.of(much) + "\n");
    assertThat(read(root).types().get(1).due().count()).isEqualTo(5L << 31);
  }

  private static void replaceInSummary(Path root, String old, String other) throws IOException {
    String text = Files.readString(root.resolve("summary.json"));
    assertThat(text).contains(old);
    Files.writeString(root.resolve("summary.json"), text.replace(old, other));
  }
}
