package io.shardmark.driver.compare.html;

import static io.shardmark.driver.compare.html.ComparisonTest.PUBLISHED;
import static io.shardmark.driver.compare.html.ComparisonTest.compare;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.ComparedSystem;
import io.shardmark.driver.compare.Comparison;
import io.shardmark.driver.compare.Comparison.Choices;
import io.shardmark.driver.compare.MadeRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which runs make a system, what it is called, and what is refused. */
final class SystemNamesTest {
  @TempDir private Path temporary;

  private String run(String path, int terminals) throws IOException {
    Path directory = temporary.resolve(path);
    Files.createDirectories(directory.getParent());
    return MadeRuns.benchmarkSql(directory, 2, terminals, terminals, 20).toString();
  }

  private String group(String name) {
    return temporary.resolve(name).toString();
  }

  private static List<String> names(Comparison comparison) {
    return comparison.systems().stream().map(ComparedSystem::name).toList();
  }

  private static List<Integer> terminals(ComparedSystem system) {
    return system.points().stream().map(point -> point.place().terminals()).toList();
  }

  @Test
  void aDirectoryOfRunsIsACurveCalledAsTheDirectory() throws IOException {
    run("ora/a", 5);
    run("ora/b", 10);
    run("ora/c", 10);
    Comparison comparison = compare(group("ora"));
    assertThat(names(comparison)).containsExactly("ora");
    assertThat(terminals(comparison.systems().get(0))).containsExactly(5, 10);
    assertThat(comparison.systems().get(0).points().get(1).runs()).hasSize(2);
    assertThat(comparison.ratios()).isEmpty();
  }

  @Test
  void foldersOfADirectoryAreSystems() throws IOException {
    run("s/pg/t5", 5);
    run("s/ora/t5", 5);
    run("s/pg/t10", 10);
    assertThat(names(compare(group("s")))).containsExactly("ora", "pg");
    assertThat(names(compare("mine=" + group("s")))).containsExactly("mine · ora", "mine · pg");
  }

  @Test
  void aSweepsOtherFoldersAreNoSystems() throws IOException {
    run("s/pg/t0005-r1", 5);
    run("s/pg/t0010-r1", 10);
    run("s/aside/t0005-r1", 5);
    run("s/hold/pg/t0005-r1", 5);
    Files.createDirectory(temporary.resolve("s/comparison"));
    Files.writeString(temporary.resolve("s/sweep.json"), "{}");
    Comparison comparison = compare(group("s"));
    assertThat(names(comparison)).containsExactly("pg");
    assertThat(comparison.systems().get(0).runs()).isEqualTo(2);
    assertThat(comparison.missing()).noneMatch(sentence -> sentence.contains("comparison"));
  }

  @Test
  void theSameNameIsOneSystemAndTheFirstIsTheBaseline() throws IOException {
    Comparison comparison =
        compare("b=" + run("1", 5), "a=" + run("2", 5), "b=" + run("3", 10), "a=" + run("4", 10));
    assertThat(names(comparison)).containsExactly("b", "a");
    assertThat(comparison.baseline().name()).isEqualTo("b");
    assertThat(terminals(comparison.systems().get(1))).containsExactly(5, 10);
  }

  @Test
  void runsThatWereToldTheSameAreACurveWithoutNames() throws IOException {
    String other = run("other", 5);
    Path properties = Path.of(other, "run.properties");
    Files.writeString(
        properties, Files.readString(properties).replace("localhost:5432", "db2:5433"));
    Comparison comparison = compare(run("x", 5), other, run("y", 10));
    assertThat(names(comparison)).containsExactly("postgres localhost:5432/tpcc", "other");
    assertThat(terminals(comparison.systems().get(0))).containsExactly(5, 10);
  }

  @Test
  void twoRunsOfOnePlaceAreBeforeAndAfter() throws IOException {
    assertThat(names(compare(run("before", 5), run("after", 5))))
        .containsExactly("before", "after");
    assertThat(names(compare(run("p/result", 5), run("q/result", 5))))
        .hasSize(2)
        .doesNotHaveDuplicates();
  }

  /** As if it had been run with a variant of a setting. */
  private String changed(String path, int terminals, String from, String to) throws IOException {
    String directory = run(path, terminals);
    Path properties = Path.of(directory, "run.properties");
    Files.writeString(properties, Files.readString(properties).replace(from, to));
    return directory;
  }

  private String onDb2(String path) throws IOException {
    return changed(path, 5, "localhost:5432", "db2:5433");
  }

  @Test
  void sweepsUnderOneRoofAreASystemForEachOfTheirDatabases() throws IOException {
    Path kept = Path.of("..", "results", "systems-2026-11-23");
    Comparison comparison = compare(kept.toString());
    assertThat(names(comparison))
        .containsExactlyInAnyOrder(
            "batched/citus",
            "batched/postgres",
            "batched/proxy",
            "default/citus",
            "default/postgres",
            "default/proxy");
    assertThat(comparison.systems())
        .allSatisfy(system -> assertThat(terminals(system)).containsExactly(5, 10, 20))
        .allSatisfy(system -> assertThat(system.runs()).isEqualTo(3));
  }

  @Test
  void foldersOfOneNameInUnlikeSweepsAreSystemsOfTheirOwn() throws IOException {
    Path kept = Path.of("..", "results", "systems-2026-11-23");
    Comparison comparison =
        compare(kept.resolve("default").toString(), kept.resolve("batched").toString());
    assertThat(names(comparison))
        .containsExactly(
            "default/postgres",
            "batched/postgres",
            "default/proxy",
            "batched/proxy",
            "default/citus",
            "batched/citus");
  }

  @Test
  void foldersOfOneNameInLikeSweepsAreRepetitions() throws IOException {
    run("monday/pg/t5", 5);
    run("monday/ora/t5", 5);
    run("tuesday/pg/t5", 5);
    run("tuesday/ora/t5", 5);
    Comparison comparison = compare(group("monday"), group("tuesday"));
    assertThat(names(comparison)).containsExactly("ora", "pg");
    assertThat(comparison.systems()).allMatch(system -> system.runs() == 2);
  }

  @Test
  void unlikeRunsOfOneFolderAreToldApartByWhatDiffers() throws IOException {
    run("s/pg/a", 5);
    onDb2("s/pg/b");
    run("s/ora/a", 5);
    assertThat(names(compare(group("s"))))
        .containsExactly("ora", "pg · postgres localhost:5432/tpcc", "pg · postgres db2:5433/tpcc");
  }

  @Test
  void unlikeRunsOfOneNameAndPlaceAreRefused() throws IOException {
    String here = run("here", 5);
    String there = onDb2("there");
    String paced = changed("paced", 5, "limitTxnsPerMin=0", "limitTxnsPerMin=300");
    assertThatThrownBy(() -> compare("a=" + here, "a=" + there, "b=" + run("other", 5)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "a: %s and %s are no repetitions of one run: endpoint localhost:5432/tpcc and"
                    .formatted(here, there)
                + " db2:5433/tpcc; give them two names, NAME=DIR");
    assertThatThrownBy(() -> compare("a=" + here, "a=" + paced, "b=" + group("other")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("are no repetitions of one run: Pacing ");
  }

  @Test
  void publishedFiguresStandBesideOnesOwn() throws IOException {
    Comparison comparison = compare(PUBLISHED.toString(), "mine=" + run("mine", 20));
    assertThat(names(comparison)).containsExactly("Oracle 19c", "Klustron 1.2.1", "mine");
    assertThat(comparison.flags()).anyMatch(flag -> flag.subject().equals("Scale"));
    // Of places that are unlike there are ratios, under that flag, and no mean.
    assertThat(comparison.ratios()).anyMatch(ratio -> ratio.system().equals("mine"));
    assertThat(comparison.overall()).hasSize(1);
    assertThatThrownBy(() -> compare(PUBLISHED.toString(), "Oracle 19c=" + group("mine")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("published figures");
  }

  @Test
  void anEmptyRunOfAGroupIsNamedAndLeftOut() throws IOException {
    run("g/a", 5);
    run("g/b", 10);
    Files.createDirectory(temporary.resolve("g/killed"));
    Comparison comparison = compare(group("g"));
    assertThat(comparison.systems().get(0).runs()).isEqualTo(2);
    assertThat(comparison.missing())
        .anyMatch(sentence -> sentence.contains("killed: has no transactions; left out"));
  }

  @Test
  void aSweepsOrderOrTheUserDecidesTheBaseline() throws IOException {
    run("s/alpha/t5", 5);
    run("s/omega/t5", 5);
    Files.writeString(
        temporary.resolve("s/sweep.json"),
        "{\"asked\": {\"databases\": [{\"name\": \"omega\"}, {\"name\": \"alpha\"}]}}");
    assertThat(names(compare(group("s")))).containsExactly("omega", "alpha");
    List<CompareArgument> arguments = List.of(CompareArgument.parse(group("s")));
    Choices alpha = new Choices(Optional.empty(), Optional.of("alpha"));
    assertThat(names(Comparison.read(arguments, alpha))).containsExactly("alpha", "omega");
    Choices gamma = new Choices(Optional.empty(), Optional.of("gamma"));
    assertThatThrownBy(() -> Comparison.read(arguments, gamma))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("--baseline gamma: there is no such system, expected one of: omega");
  }

  @Test
  void aSweepThatCameNoFurtherThanOneRunIsShown() throws IOException {
    run("s/pg/t0005-r1", 5);
    Files.writeString(temporary.resolve("s/sweep.json"), "{}");
    assertThat(names(compare(group("s")))).containsExactly("pg");
  }

  @Test
  void badInputIsRefusedInOneLine() throws IOException {
    String one = run("one", 5);
    Path file = Files.writeString(temporary.resolve("notes.txt"), "no result");
    Path empty = Files.createDirectory(temporary.resolve("empty"));
    assertThatThrownBy(() -> compare(one))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is one run; expected two or more");
    assertThatThrownBy(() -> compare(one, group("nothing")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("nothing: no such directory");
    assertThatThrownBy(() -> compare(one, file.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("notes.txt: is a file");
    assertThatThrownBy(() -> compare(one, empty.toString()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("empty: is no result directory and holds none");
    assertThatThrownBy(() -> compare("a=" + one, "a=" + run("two", 5)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("expected two systems or two places");
  }
}
