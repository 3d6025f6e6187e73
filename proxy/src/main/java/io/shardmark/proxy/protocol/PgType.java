package io.shardmark.proxy.protocol;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * PostgreSQL's own types that the proxy knows, by their oids in pg_type: the same on all servers.
 */
public enum PgType {
  BOOL(16),
  BYTEA(17),
  NAME(19),
  INT8(20),
  INT2(21),
  INT4(23),
  TEXT(25),
  OID(26),
  JSON(114),
  FLOAT4(700),
  FLOAT8(701),
  UNKNOWN(705),
  INET(869),
  BOOL_ARRAY(1000),
  INT2_ARRAY(1005),
  INT4_ARRAY(1007),
  TEXT_ARRAY(1009),
  VARCHAR_ARRAY(1015),
  INT8_ARRAY(1016),
  BPCHAR(1042),
  VARCHAR(1043),
  DATE(1082),
  TIME(1083),
  TIMESTAMP(1114),
  TIMESTAMPTZ(1184),
  INTERVAL(1186),
  NUMERIC_ARRAY(1231),
  TIMETZ(1266),
  NUMERIC(1700),
  UUID(2950),
  UUID_ARRAY(2951),
  JSONB(3802);

  private static final Map<Integer, PgType> BY_OID = new HashMap<>();

  static {
    for (PgType type : values()) {
      BY_OID.put(type.oid, type);
    }
  }

  private final int oid;
  private final String sqlName;

  PgType(int oid) {
    this.oid = oid;
    String name = name().toLowerCase(Locale.ROOT);
    this.sqlName = name.endsWith("_array") ? "_" + name.replace("_array", "") : name;
  }

  /** The type with this oid, or null. */
  public static @Nullable PgType of(int oid) {
    return BY_OID.get(oid);
  }

  public int oid() {
    return oid;
  }

  /** As in pg_type. */
  public String sqlName() {
    return sqlName;
  }
}
