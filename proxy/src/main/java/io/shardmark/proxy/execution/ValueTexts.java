package io.shardmark.proxy.execution;

import io.shardmark.proxy.protocol.PgType;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.settings.Settings;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Types whose values can be given to a server as the texts that another one showed them as. */
public final class ValueTexts {
  private static final Set<PgType> FLOATS = EnumSet.of(PgType.FLOAT4, PgType.FLOAT8);
  private static final Set<PgType> TIMES =
      EnumSet.of(PgType.DATE, PgType.TIMESTAMP, PgType.TIMESTAMPTZ, PgType.INTERVAL);

  private ValueTexts() {}

  /**
   * How SQL names the types.
   *
   * @throws StatementException for a type that is not known, or whose texts do not hold the whole
   *     value with these settings
   */
  public static List<String> types(List<RowField> columns, Settings settings) {
    List<String> types = new ArrayList<>();
    for (RowField column : columns) {
      PgType type = PgType.of(column.typeOid());
      if (type == null || type == PgType.UNKNOWN) {
        throw refused("of column \"" + column.name() + "\" are of a type that is not supported");
      }
      types.add("pg_catalog." + type.sqlName());
    }
    requireWhole(columns, settings);
    return types;
  }

  /**
   * Refuses values whose texts do not hold all of them.
   *
   * @throws StatementException if there may be such with these settings
   */
  public static void requireWhole(List<RowField> columns, Settings settings) {
    for (RowField column : columns) {
      PgType type = PgType.of(column.typeOid());
      boolean any = type == null; // an array, for example
      requireWhole(any || FLOATS.contains(type), any || TIMES.contains(type), settings);
    }
  }

  /**
   * The same of rows whatever their columns are.
   *
   * @throws StatementException if there may be such with these settings
   */
  public static void requireWholeRows(Settings settings) {
    requireWhole(true, true, settings);
  }

  private static void requireWhole(boolean floats, boolean times, Settings settings) {
    if (floats && roundsFloats(settings)) {
      throw refused("are rounded for their texts by extra_float_digits");
    }
    if (times && isAmbiguous(settings)) {
      throw refused("are times whose texts are ambiguous with this DateStyle or IntervalStyle");
    }
  }

  private static StatementException refused(String why) {
    return new StatementException(
        SqlState.FEATURE_NOT_SUPPORTED,
        "the statement needs several shards, and values that one server must have of all shards "
            + why,
        "Cast them to a basic type, or fetch the rows and do the rest in the application.");
  }

  /** Whether texts of floats are not the whole value. */
  public static boolean roundsFloats(Settings settings) {
    // From 1 on, the default, a text holds the whole value.
    return settings
        .value("extra_float_digits")
        .filter(digits -> !digits.matches("[1-3]"))
        .isPresent();
  }

  private static boolean isAmbiguous(Settings settings) {
    String dates = settings.value("datestyle").orElse("ISO");
    String intervals = settings.value("intervalstyle").orElse("postgres");
    // Of sql_standard a sign may belong to one field or to all.
    return !dates.startsWith("ISO") || intervals.equals("sql_standard");
  }
}
