package io.shardmark.proxy.routing;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The modes that a transaction may be given (PG18 sql-set-transaction). */
public enum TransactionMode {
  READ_UNCOMMITTED(ModeKind.ISOLATION_LEVEL),
  READ_COMMITTED(ModeKind.ISOLATION_LEVEL),
  REPEATABLE_READ(ModeKind.ISOLATION_LEVEL),
  SERIALIZABLE(ModeKind.ISOLATION_LEVEL),
  READ_ONLY(ModeKind.ACCESS),
  READ_WRITE(ModeKind.ACCESS),
  NOT_DEFERRABLE(ModeKind.DEFERRABLE),
  DEFERRABLE(ModeKind.DEFERRABLE);

  /** Of each of these a transaction has one: the last that it was given. */
  public enum ModeKind {
    ISOLATION_LEVEL,
    ACCESS,
    DEFERRABLE
  }

  private final ModeKind kind;

  TransactionMode(ModeKind kind) {
    this.kind = kind;
  }

  public ModeKind kind() {
    return kind;
  }

  /** Its words in SQL, such as ISOLATION LEVEL SERIALIZABLE. */
  public String sql() {
    String words = name().replace('_', ' ');
    return kind == ModeKind.ISOLATION_LEVEL ? "ISOLATION LEVEL " + words : words;
  }

  /** As they follow BEGIN and SET TRANSACTION; "" if there are none. */
  public static String sql(List<TransactionMode> modes) {
    return modes.isEmpty()
        ? ""
        : modes.stream().map(TransactionMode::sql).collect(Collectors.joining(", "));
  }

  /** The level that a value of transaction_isolation names, in whatever case. */
  public static Optional<TransactionMode> level(String value) {
    String name = value.toUpperCase(Locale.ROOT).replace(' ', '_');
    return Stream.of(values())
        .filter(mode -> mode.kind == ModeKind.ISOLATION_LEVEL && mode.name().equals(name))
        .findFirst();
  }

  /** That of a kind which is in force after these, if they have set one. */
  public static Optional<TransactionMode> last(List<TransactionMode> modes, ModeKind kind) {
    return modes.stream().filter(mode -> mode.kind == kind).reduce((first, next) -> next);
  }
}
