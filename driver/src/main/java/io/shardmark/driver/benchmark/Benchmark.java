package io.shardmark.driver.benchmark;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.Key;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.acid.AcidTests;
import io.shardmark.driver.verify.Conditions;
import io.shardmark.loader.data.DataSet;
import io.shardmark.sql.script.ScriptSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A benchmark as the list of them has it: what can be said of it before a run. Stateless, safe on
 * any thread. Methods that read values throw {@link io.shardmark.config.ConfigException} with one
 * line if one of them cannot be used.
 */
public interface Benchmark {
  /**
   * What distinguishes a benchmark from the others.
   *
   * @param key the value of the key {@code workload} that names it, such as {@code tpcc}; lower
   *     case
   * @param title as results name it, such as {@code TPC-C}
   * @param keys those that it has in addition to {@link io.shardmark.config.PropertyKey}
   * @param databases those that it has scripts and statements for
   */
  record Identity(String key, String title, List<? extends Key> keys, Set<DatabaseKind> databases) {
    public Identity {
      keys = List.copyOf(keys);
      databases = Collections.unmodifiableSet(EnumSet.copyOf(databases));
    }
  }

  /** Always the same. */
  Identity identity();

  /** See {@link Identity#key}. */
  default String key() {
    return identity().key();
  }

  /** See {@link Identity#title}. */
  default String title() {
    return identity().title();
  }

  /** See {@link Identity#keys}. */
  default List<? extends Key> keys() {
    return identity().keys();
  }

  /** See {@link Identity#databases}. */
  default Set<DatabaseKind> databases() {
    return identity().databases();
  }

  /** How large its data are, and what part of them this process has. */
  Scale scale(PropertyReader values);

  /**
   * The benchmark's settings in effect, by name, for results and to compare runs. The same for all
   * drivers of a run but for their parts of the scale.
   *
   * @return texts, numbers, truth values or maps of such; in the order in which they are kept
   */
  default Map<String, Object> inEffect(Settings settings) {
    Map<String, Object> inEffect = new LinkedHashMap<>();
    for (Key key : keys()) {
      inEffect.put(key.key(), settings.values().text(key).orElse(key.missing()));
    }
    return inEffect;
  }

  /** What the console shows of the benchmark's settings before a run. */
  default BannerSettings banner(Settings settings) {
    Map<String, String> shown = new LinkedHashMap<>();
    settings.run().own().forEach((name, value) -> shown.put(name, value.toString()));
    return new BannerSettings(shown, Map.of(), Map.of(), Map.of());
  }

  /** Values of its keys that a run accepts but its user may not have meant, one line each. */
  default List<String> warnings(Settings settings) {
    return List.of();
  }

  /** Checks what the values say of its data and its transactions. */
  default void check(PropertyReader values) {
    dataSet(values);
  }

  /**
   * False if its tables are the user's own: {@link #dataSet} and {@link #conditions} say so, and
   * there are no scripts.
   */
  default boolean hasTables() {
    return true;
  }

  /** The scripts that make and drop its tables, keys and indexes; unless it has others, these. */
  default ScriptSet scripts(PropertyReader values) {
    return new ScriptSet(
        key(),
        List.of("tableCreates"),
        List.of("indexCreates", "buildFinish"),
        List.of("tableDrops"),
        List.of("tableTruncates"));
  }

  /** The rows that a load makes. */
  DataSet dataSet(PropertyReader values);

  /** What must hold of the data, after a load and after runs. */
  Conditions conditions(PropertyReader values);

  /**
   * Tests of what the database guarantees to its transactions; empty if it has none.
   *
   * @throws io.shardmark.config.ConfigException if the keys contradict each other
   */
  default Optional<AcidTests> acidTests(PropertyReader values) {
    return Optional.empty();
  }

  /**
   * Statements that put the tables back to the state after the load, in their order, for any
   * database that it has scripts for; empty if it has none.
   */
  default List<String> reset(PropertyReader values) {
    return List.of();
  }

  /**
   * The workload of one run. Asks nothing of a database yet.
   *
   * @throws io.shardmark.config.ConfigException if the run cannot be done with these settings
   */
  Workload open(Settings settings);
}
