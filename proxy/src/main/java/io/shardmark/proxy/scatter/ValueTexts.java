package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Types whose values can be given to a server as the texts that another one showed them as. */
public final class ValueTexts {
  /** Names of types by their oids in pg_type, which are the same on all servers. */
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(16, "bool"),
          Map.entry(17, "bytea"),
          Map.entry(19, "name"),
          Map.entry(20, "int8"),
          Map.entry(21, "int2"),
          Map.entry(23, "int4"),
          Map.entry(25, "text"),
          Map.entry(26, "oid"),
          Map.entry(114, "json"),
          Map.entry(700, "float4"),
          Map.entry(701, "float8"),
          Map.entry(869, "inet"),
          Map.entry(1042, "bpchar"),
          Map.entry(1043, "varchar"),
          Map.entry(1082, "date"),
          Map.entry(1083, "time"),
          Map.entry(1114, "timestamp"),
          Map.entry(1184, "timestamptz"),
          Map.entry(1186, "interval"),
          Map.entry(1266, "timetz"),
          Map.entry(1700, "numeric"),
          Map.entry(2950, "uuid"),
          Map.entry(3802, "jsonb"),
          Map.entry(1000, "_bool"),
          Map.entry(1005, "_int2"),
          Map.entry(1007, "_int4"),
          Map.entry(1009, "_text"),
          Map.entry(1015, "_varchar"),
          Map.entry(1016, "_int8"),
          Map.entry(1231, "_numeric"),
          Map.entry(2951, "_uuid"));

  private static final Set<Integer> FLOATS = Set.of(700, 701);
  private static final Set<Integer> TIMES = Set.of(1082, 1114, 1184, 1186);

  private ValueTexts() {}

  /**
   * How SQL names the types.
   *
   * @throws StatementException for a type that is not known, or whose texts do not hold the whole
   *     value with these settings
   */
  static List<String> types(List<RowField> columns, Settings settings) {
    List<String> types = new ArrayList<>();
    for (RowField column : columns) {
      String name = NAMES.get(column.typeOid());
      if (name == null) {
        throw refused("of column \"" + column.name() + "\" are of a type that is not supported");
      }
      if (isFloat(column.typeOid()) && roundsFloats(settings)) {
        throw refused("are rounded for their texts by extra_float_digits");
      }
      if (TIMES.contains(column.typeOid()) && isAmbiguous(settings)) {
        throw refused("are times whose texts are ambiguous with this DateStyle or IntervalStyle");
      }
      types.add("pg_catalog." + name);
    }
    return types;
  }

  private static StatementException refused(String why) {
    return new StatementException(
        SqlState.FEATURE_NOT_SUPPORTED,
        "the statement needs several shards, and values that one server must have of all shards "
            + why,
        "Cast them to a basic type, or fetch the rows and do the rest in the application.");
  }

  private static boolean isFloat(int typeOid) {
    return FLOATS.contains(typeOid);
  }

  /** Whether texts of floats are not the whole value. */
  static boolean roundsFloats(Settings settings) {
    // From 1 on, the default, a text holds the whole value.
    return settings
        .value("extra_float_digits")
        .filter(digits -> !digits.matches("[1-3]"))
        .isPresent();
  }

  private static boolean isAmbiguous(Settings settings) {
    String dates = settings.value("datestyle").orElse("ISO");
    String intervals = settings.value("intervalstyle").orElse("postgres");
    return !dates.startsWith("ISO") || !intervals.startsWith("postgres");
  }
}
