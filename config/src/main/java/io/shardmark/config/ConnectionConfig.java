package io.shardmark.config;

import static io.shardmark.config.PropertyKey.CONN;
import static io.shardmark.config.PropertyKey.CONNECT_TIMEOUT_SECS;
import static io.shardmark.config.PropertyKey.DB;
import static io.shardmark.config.PropertyKey.DRIVER;
import static io.shardmark.config.PropertyKey.ISOLATION;
import static io.shardmark.config.PropertyKey.PASSWORD;
import static io.shardmark.config.PropertyKey.STATEMENT_TIMEOUT_SECS;
import static io.shardmark.config.PropertyKey.USER;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How to reach the database.
 *
 * @param database key {@code db}
 * @param driverClass key {@code driver}: the JDBC driver's class name
 * @param url key {@code conn}: a JDBC URL, passed unchanged, or {@code
 *     embedded:postgres[?option=value&...]} or {@code embedded:sharded[?...]}
 * @param user key {@code user}
 * @param password key {@code password}
 * @param connectTimeout key {@code connectTimeoutSecs}: how long opening one connection may take
 * @param statementTimeout key {@code statementTimeoutSecs}: how long one statement may take on the
 *     server; zero means no limit
 * @param isolation key {@code isolation}: isolation level of the transactions
 * @param shardMap key {@code shardMap}: whether the endpoint is asked for its shards
 */
public record ConnectionConfig(
    DatabaseKind database,
    String driverClass,
    String url,
    String user,
    Secret password,
    Duration connectTimeout,
    Duration statementTimeout,
    IsolationLevel isolation,
    ShardMapUse shardMap) {
  private static final String EMBEDDED = "embedded:";
  private static final String NOTHING = "null:";
  private static final String EMBEDDED_USER = "benchmarksql";

  /** Schemes that belong to one database; others, of wrappers and relatives, may be anything. */
  private static final Map<String, Set<DatabaseKind>> DATABASES_OF_SCHEMES =
      Map.of(
          "jdbc:postgresql:", Set.of(DatabaseKind.POSTGRES),
          "jdbc:mysql:", Set.of(DatabaseKind.MYSQL, DatabaseKind.MARIADB),
          "jdbc:mariadb:", Set.of(DatabaseKind.MYSQL, DatabaseKind.MARIADB),
          "jdbc:oracle:", Set.of(DatabaseKind.ORACLE),
          "jdbc:firebirdsql:", Set.of(DatabaseKind.FIREBIRD));

  private static final Pattern CLASS_NAME =
      Pattern.compile("[\\p{L}_$][\\p{L}\\p{N}_$]*(\\.[\\p{L}_$][\\p{L}\\p{N}_$]*)*");

  /** The same database under another URL and password: those of a server that was started. */
  public ConnectionConfig at(String otherUrl, Secret otherPassword) {
    return new ConnectionConfig(
        database,
        driverClass,
        otherUrl,
        user,
        otherPassword,
        connectTimeout,
        statementTimeout,
        isolation,
        shardMap);
  }

  /** The same without a limit of the statements' time. */
  public ConnectionConfig withoutStatementTimeout() {
    return new ConnectionConfig(
        database,
        driverClass,
        url,
        user,
        password,
        connectTimeout,
        Duration.ZERO,
        isolation,
        shardMap);
  }

  /** True if {@code conn} asks for servers that we start ourselves. */
  public boolean isEmbedded() {
    return url.startsWith(EMBEDDED);
  }

  /** True if {@code conn} asks for a database that answers at once and keeps nothing. */
  public boolean isNothing() {
    return url.equals(NOTHING);
  }

  /** The URL without the passwords that it may hold: what console and files show. */
  public String maskedUrl() {
    return PasswordMask.inUrls(url);
  }

  /** Reads the keys that say how to reach the database. */
  static ConnectionConfig read(PropertyReader reader) {
    String url =
        reader.required(
            CONN, "a JDBC URL, embedded:postgres, embedded:replicated or embedded:sharded");
    if (!url.startsWith("jdbc:") && !url.startsWith(EMBEDDED) && !url.equals(NOTHING)) {
      throw reader.bad(
          CONN,
          "a JDBC URL (jdbc:...), embedded:postgres, embedded:replicated, embedded:sharded or"
              + " null:");
    }
    boolean embedded = url.startsWith(EMBEDDED) || url.equals(NOTHING);
    DatabaseKind database = embedded ? embeddedDatabase(reader) : database(reader);
    checkUrlIsOf(reader, database, url);
    return new ConnectionConfig(
        database,
        embedded ? "org.postgresql.Driver" : driverClass(reader),
        url,
        embedded
            ? reader.text(USER).orElse(EMBEDDED_USER)
            : reader.required(USER, "a database user"),
        new Secret(
            embedded
                ? reader.text(PASSWORD).orElse("")
                : reader.required(PASSWORD, "the user's password, which may be empty")),
        Duration.ofSeconds(reader.integer(CONNECT_TIMEOUT_SECS)),
        Duration.ofSeconds(reader.integer(STATEMENT_TIMEOUT_SECS)),
        isolation(reader, database),
        reader.constant(PropertyKey.SHARD_MAP, ShardMapUse.class));
  }

  private static IsolationLevel isolation(PropertyReader reader, DatabaseKind database) {
    IsolationLevel level = reader.name(ISOLATION, IsolationLevel.DEFAULT, IsolationLevel::of);
    if (database == DatabaseKind.ORACLE && level == IsolationLevel.REPEATABLE_READ) {
      throw reader.bad(ISOLATION, "one of default, read_committed, serializable with db=oracle");
    }
    return level;
  }

  static DatabaseKind database(PropertyReader reader) {
    reader.required(DB, DB.type().expected());
    return reader.constant(DB, DatabaseKind.class);
  }

  private static DatabaseKind embeddedDatabase(PropertyReader reader) {
    if (reader.constant(DB, DatabaseKind.POSTGRES) != DatabaseKind.POSTGRES) {
      throw reader.bad(DB, "postgres, the only database that conn=embedded:... starts");
    }
    return DatabaseKind.POSTGRES;
  }

  /** A URL that names another database would run that one with statements of this one. */
  private static void checkUrlIsOf(PropertyReader reader, DatabaseKind database, String url) {
    for (Map.Entry<String, Set<DatabaseKind>> scheme : DATABASES_OF_SCHEMES.entrySet()) {
      if (url.startsWith(scheme.getKey()) && !scheme.getValue().contains(database)) {
        Key blamed = reader.blamed(DB, CONN);
        throw reader.bad(
            blamed,
            blamed == DB
                ? "%s, to which conn=%s... belongs".formatted(names(scheme), scheme.getKey())
                : "a URL of db=%s; this one is of %s"
                    .formatted(database.propertyName(), names(scheme)));
      }
    }
  }

  private static String names(Map.Entry<String, Set<DatabaseKind>> scheme) {
    return scheme.getValue().stream()
        .map(DatabaseKind::propertyName)
        .sorted()
        .collect(Collectors.joining(" or "));
  }

  private static String driverClass(PropertyReader reader) {
    String expected = "the class name of a JDBC driver";
    String name = reader.required(DRIVER, expected);
    if (!CLASS_NAME.matcher(name).matches()) {
      throw reader.bad(DRIVER, expected);
    }
    return name;
  }

  /** What may be read but is likely to fail later. */
  static List<String> warnings(PropertyReader reader) {
    List<String> warnings = new ArrayList<>();
    String url = reader.text(CONN).orElse("");
    boolean mariadbDriver = reader.text(DRIVER).orElse("").equals("org.mariadb.jdbc.Driver");
    if (mariadbDriver && url.startsWith("jdbc:mysql:") && !url.contains("permitMysqlScheme")) {
      warnings.add(
          reader.found(CONN)
              + ": MariaDB's driver takes such a URL only with the option permitMysqlScheme:"
              + " write jdbc:mariadb: instead");
    }
    return warnings;
  }
}
