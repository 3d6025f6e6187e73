package io.shardmark.proxy.protocol;

/**
 * A five-character error code (PG18 appendix A, errcodes-appendix). Servers may send codes that are
 * not listed here; the named ones are those that the proxy raises or acts on.
 *
 * @param code digits and upper-case letters
 */
public record SqlState(String code) {
  public static final SqlState SUCCESSFUL_COMPLETION = new SqlState("00000");
  public static final SqlState WARNING = new SqlState("01000");
  public static final SqlState CONNECTION_FAILURE = new SqlState("08006");
  public static final SqlState TRANSACTION_RESOLUTION_UNKNOWN = new SqlState("08007");
  public static final SqlState PROTOCOL_VIOLATION = new SqlState("08P01");
  public static final SqlState FEATURE_NOT_SUPPORTED = new SqlState("0A000");
  public static final SqlState NUMERIC_VALUE_OUT_OF_RANGE = new SqlState("22003");
  public static final SqlState CHARACTER_NOT_IN_REPERTOIRE = new SqlState("22021");
  public static final SqlState INVALID_PARAMETER_VALUE = new SqlState("22023");
  public static final SqlState INVALID_TEXT_REPRESENTATION = new SqlState("22P02");
  public static final SqlState INVALID_BINARY_REPRESENTATION = new SqlState("22P03");
  public static final SqlState BAD_COPY_FILE_FORMAT = new SqlState("22P04");
  public static final SqlState INVALID_ROW_COUNT_IN_LIMIT_CLAUSE = new SqlState("2201W");
  public static final SqlState INVALID_ROW_COUNT_IN_RESULT_OFFSET_CLAUSE = new SqlState("2201X");
  public static final SqlState UNIQUE_VIOLATION = new SqlState("23505");
  public static final SqlState GROUPING_ERROR = new SqlState("42803");
  public static final SqlState ACTIVE_SQL_TRANSACTION = new SqlState("25001");
  public static final SqlState NO_ACTIVE_SQL_TRANSACTION = new SqlState("25P01");
  public static final SqlState IN_FAILED_SQL_TRANSACTION = new SqlState("25P02");
  public static final SqlState INVALID_SQL_STATEMENT_NAME = new SqlState("26000");
  public static final SqlState INVALID_AUTHORIZATION_SPECIFICATION = new SqlState("28000");
  public static final SqlState INVALID_PASSWORD = new SqlState("28P01");
  public static final SqlState INVALID_CURSOR_NAME = new SqlState("34000");
  public static final SqlState INVALID_SAVEPOINT_SPECIFICATION = new SqlState("3B001");
  public static final SqlState INVALID_CATALOG_NAME = new SqlState("3D000");
  public static final SqlState SERIALIZATION_FAILURE = new SqlState("40001");
  public static final SqlState DEADLOCK_DETECTED = new SqlState("40P01");
  public static final SqlState INSUFFICIENT_PRIVILEGE = new SqlState("42501");
  public static final SqlState SYNTAX_ERROR = new SqlState("42601");
  public static final SqlState GENERATED_ALWAYS = new SqlState("428C9");
  public static final SqlState UNDEFINED_COLUMN = new SqlState("42703");
  public static final SqlState UNDEFINED_OBJECT = new SqlState("42704");
  public static final SqlState UNDEFINED_TABLE = new SqlState("42P01");
  public static final SqlState DUPLICATE_CURSOR = new SqlState("42P03");
  public static final SqlState DUPLICATE_PREPARED_STATEMENT = new SqlState("42P05");
  public static final SqlState DUPLICATE_TABLE = new SqlState("42P07");
  public static final SqlState DISK_FULL = new SqlState("53100");
  public static final SqlState OUT_OF_MEMORY = new SqlState("53200");
  public static final SqlState TOO_MANY_CONNECTIONS = new SqlState("53300");
  public static final SqlState PROGRAM_LIMIT_EXCEEDED = new SqlState("54000");
  public static final SqlState OBJECT_NOT_IN_PREREQUISITE_STATE = new SqlState("55000");
  public static final SqlState LOCK_NOT_AVAILABLE = new SqlState("55P03");
  public static final SqlState QUERY_CANCELED = new SqlState("57014");
  public static final SqlState ADMIN_SHUTDOWN = new SqlState("57P01");
  public static final SqlState INTERNAL_ERROR = new SqlState("XX000");

  private static final int LENGTH = 5;

  public SqlState {
    if (!isValid(code)) {
      throw new IllegalArgumentException("SQLSTATE \"" + code + "\" is not five of 0-9 and A-Z");
    }
  }

  /** Whether it says that the server cannot be reached, ends or starts (classes 08 and 57P). */
  public boolean isUnreachable() {
    return code.startsWith("08") || code.startsWith("57P");
  }

  static boolean isValid(String code) {
    return code.length() == LENGTH
        && code.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'));
  }

  @Override
  public String toString() {
    return code;
  }
}
