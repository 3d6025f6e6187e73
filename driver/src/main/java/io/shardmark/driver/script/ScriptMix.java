package io.shardmark.driver.script;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Key;
import io.shardmark.config.KeyType;
import io.shardmark.config.KeyUse;
import io.shardmark.config.PropertyKey;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.TransactionType;
import io.shardmark.driver.benchmark.WeightedChoice;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The files of a run with their weights, and the variables that are given. Immutable once read.
 *
 * @param parts in the order of the key
 * @param variables of all files
 * @param given values of {@code scriptVariables}, by name
 */
record ScriptMix(List<WeightedScript> parts, VariableNames variables, Map<String, Value> given) {
  private static final Key.Traits VARIABLES_TRAITS =
      new Key.Traits(
          "scriptVariables",
          KeyType.text("list"),
          "none",
          Set.of(KeyUse.RUN),
          "variables that are set when a terminal starts, as with `pgbench -D`: `scale=10, top=5`; `scale` is 1 if it is not among them");

  /** The benchmark's one key; its files follow its name. */
  static final Key VARIABLES = () -> VARIABLES_TRAITS;

  private static final Pattern FILE_AND_WEIGHT = Pattern.compile("(.*?)(?:@(\\d{1,7}))?");
  private static final String EXPECTED =
      "script:FILE.sql or script:FILE.sql@weight, ..., each weight a whole number from 0 to "
          + WeightedChoice.MOST_WEIGHT;

  /**
   * A file.
   *
   * @param checksum of its bytes, for results
   */
  record WeightedScript(
      String file, int weight, String checksum, TransactionType type, List<ScriptCommand> steps) {
    public WeightedScript {
      steps = List.copyOf(steps);
    }
  }

  ScriptMix {
    parts = List.copyOf(parts);
    given = Map.copyOf(given);
  }

  /**
   * Reads the files.
   *
   * @throws ConfigException if one cannot be read or is no script
   */
  static ScriptMix of(PropertyReader values) {
    Map<String, Value> given = values.name(VARIABLES, Map.of(), ScriptMix::parseVariables);
    VariableNames variables = new VariableNames(given.keySet());
    String[] files =
        values.required(PropertyKey.WORKLOAD, EXPECTED).replaceFirst("^[^:]*:?", "").split(",", -1);
    List<WeightedScript> parts = new ArrayList<>();
    for (String file : files) {
      Matcher matcher = FILE_AND_WEIGHT.matcher(file.strip());
      if (!matcher.matches() || matcher.group(1).isEmpty()) {
        throw values.bad(PropertyKey.WORKLOAD, EXPECTED);
      }
      int weight = matcher.group(2) == null ? 1 : Integer.parseInt(matcher.group(2));
      if (weight > WeightedChoice.MOST_WEIGHT) {
        throw values.bad(PropertyKey.WORKLOAD, EXPECTED);
      }
      WeightedScript part = read(matcher.group(1), weight, parts.size(), variables, values);
      if (parts.stream().anyMatch(other -> other.type().name().equals(part.type().name()))) {
        throw values.bad(PropertyKey.WORKLOAD, "files with different names, each once");
      }
      parts.add(part);
    }
    if (parts.stream().allMatch(part -> part.weight() == 0)) {
      throw values.bad(PropertyKey.WORKLOAD, "a weight above 0");
    }
    variables.requireAllSet();
    return new ScriptMix(parts, variables, given);
  }

  private static WeightedScript read(
      String file, int weight, int index, VariableNames variables, PropertyReader values) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(Path.of(file));
    } catch (IOException | java.nio.file.InvalidPathException e) {
      throw values.bad(PropertyKey.WORKLOAD, "a script file that can be read: " + file);
    }
    CRC32 checksum = new CRC32();
    checksum.update(bytes);
    String text = new String(bytes, StandardCharsets.UTF_8);
    return new WeightedScript(
        file,
        weight,
        "%08x".formatted(checksum.getValue()),
        TransactionType.unpaced(index, typeName(file), 1),
        ScriptParser.parse(file, text, variables));
  }

  /** As other types are written: {@code new-order.sql} is {@code NEW_ORDER}. */
  private static String typeName(String file) {
    String name = String.valueOf(Path.of(file).getFileName()).replaceFirst("\\.sql$", "");
    return name.toUpperCase(Locale.ROOT).replaceAll("[^\\p{L}\\d]+", "_");
  }

  private static Map<String, Value> parseVariables(String text) {
    Map<String, Value> variables = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      String[] pair = part.strip().split("\\s*=\\s*", 2);
      if (pair.length < 2 || !VariableNames.isName(pair[0])) {
        throw new IllegalArgumentException("name=value, ...");
      }
      if (variables.put(pair[0], new Value.TextValue(pair[1])) != null) {
        throw new IllegalArgumentException("each variable once");
      }
    }
    return variables;
  }

  /** The value of {@code :scale}, if it is a number for a size. */
  int scale() {
    Value scale = given.get(VariableNames.SCALE);
    return scale != null && scale.text().matches("[1-9]\\d{0,8}")
        ? Integer.parseInt(scale.text())
        : 1;
  }

  boolean hasPipeline() {
    return parts.stream().anyMatch(part -> hasPipeline(part.steps()));
  }

  private static boolean hasPipeline(List<ScriptCommand> steps) {
    return steps.stream()
        .anyMatch(
            step ->
                step instanceof ScriptCommand.Pipeline
                    || (step instanceof ScriptCommand.Choose choose
                        && (hasPipeline(choose.then()) || hasPipeline(choose.otherwise()))));
  }

  WeightedChoice<WeightedScript> choice() {
    return new WeightedChoice<>(parts, WeightedScript::weight);
  }
}
