package io.shardmark.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lines and states are a budget. Every limit here only falls: who takes lines or a boolean out of a
 * module lowers its limit to what the failing test or its output shows.
 */
final class BudgetTest {
  /** Lines of main code, all of them counted, by module. */
  private static final Map<String, Integer> MOST_LINES = Map.of("proxy", 61_231, "driver", 60_269);

  /** The most lines of each package of driver and proxy. */
  private static final Path BUDGETS = Path.of("src/test/resources/lines.txt");

  private static final int ROUNDED_TO = 50;

  /** Packages of the proxy whose state must become values. */
  private static final List<String> WITH_STATE = List.of("session", "pool", "execution");

  /** Boolean fields of their classes: records apart, which are values. */
  private static final int MOST_BOOLEANS = 12;

  @ParameterizedTest
  @ValueSource(strings = {"proxy", "driver"})
  void mainCodeStaysWithinItsLines(String module) throws IOException {
    Map<String, Integer> lines = linesByPackage(module);
    int all = lines.values().stream().mapToInt(Integer::intValue).sum();
    String table = table(lines);
    System.out.println("%s, %d lines:%n%s".formatted(module, all, table));
    assertThat(all)
        .as("lines of %s; a new feature takes out what it replaces:%n%s", module, table)
        .isPositive()
        .isLessThanOrEqualTo(MOST_LINES.get(module));
  }

  /** A package that grows says so in lines.txt; {@code -Dbudget.rewrite=true} writes it anew. */
  @Test
  void everyPackageHasABudget() throws IOException {
    Map<String, Integer> lines = linesByPackage("driver");
    lines.putAll(linesByPackage("proxy"));
    if (Boolean.getBoolean("budget.rewrite")) {
      Map<String, Integer> rounded = new TreeMap<>(lines);
      rounded.replaceAll((name, count) -> (count + ROUNDED_TO - 1) / ROUNDED_TO * ROUNDED_TO);
      Files.writeString(ProjectTree.root().resolve(BUDGETS), table(rounded) + "\n");
    }
    Map<String, Integer> budgets = new TreeMap<>();
    for (String line : Files.readAllLines(ProjectTree.root().resolve(BUDGETS))) {
      String[] fields = line.strip().split(" ", 2);
      budgets.put(fields[1], Integer.parseInt(fields[0]));
    }
    assertThat(lines).as("packages that %s names", BUDGETS).containsOnlyKeys(budgets.keySet());
    lines.entrySet().removeIf(one -> one.getValue() <= budgets.getOrDefault(one.getKey(), 0));
    assertThat(lines).as("packages with more lines than %s allows", BUDGETS).isEmpty();
  }

  private static Map<String, Integer> linesByPackage(String module) throws IOException {
    Path sources = ProjectTree.root().resolve(module).resolve("src/main/java/io/shardmark");
    Map<String, Integer> lines = new TreeMap<>();
    for (Path file : ProjectTree.files(".java")) {
      if (file.startsWith(sources)) {
        String found = sources.relativize(file.resolveSibling("")).toString();
        lines.merge(found, Files.readAllLines(file).size(), Integer::sum);
      }
    }
    return lines;
  }

  private static String table(Map<String, Integer> lines) {
    return lines.entrySet().stream()
        .map(one -> "%7d %s".formatted(one.getValue(), one.getKey()))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void stateIsNoSetOfBooleans() {
    Path classes = ProjectTree.root().resolve("proxy/target/classes");
    List<String> found =
        new ClassFileImporter()
            .importPath(classes).stream()
                .filter(BudgetTest::hasState)
                .flatMap(BudgetTest::booleans)
                .sorted()
                .toList();
    System.out.println(found.size() + " booleans in " + String.join(", ", WITH_STATE));
    assertThat(found)
        .as("boolean fields; name the states that exist instead, with an enum or records")
        .isNotEmpty()
        .hasSizeLessThanOrEqualTo(MOST_BOOLEANS);
  }

  private static boolean hasState(JavaClass type) {
    return WITH_STATE.stream()
            .anyMatch(
                room ->
                    (type.getPackageName() + ".").startsWith("io.shardmark.proxy." + room + "."))
        && !type.isRecord();
  }

  private static Stream<String> booleans(JavaClass type) {
    return type.getFields().stream()
        .filter(field -> field.getRawType().getName().equals("boolean"))
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC))
        .map(JavaField::getFullName);
  }
}
