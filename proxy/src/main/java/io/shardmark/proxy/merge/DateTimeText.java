package io.shardmark.proxy.merge;

import io.shardmark.proxy.protocol.PgType;
import io.shardmark.proxy.protocol.RowField;
import io.shardmark.proxy.protocol.SqlState;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * date, time, timestamp and timestamptz in the text of DateStyle ISO, as a number that grows with
 * them. PG18 §8.5 datatype-datetime-output.
 */
record DateTimeText(PgType type, RowField column) implements ValueKey {
  private static final Pattern ISO =
      Pattern.compile(
          "(?:(\\d{4,})-(\\d\\d)-(\\d\\d))?"
              + "(?: ?(\\d\\d):(\\d\\d):(\\d\\d)(?:\\.(\\d{1,6}))?)?"
              + "(?:([+-])(\\d\\d)(?::(\\d\\d)(?::(\\d\\d))?)?)?"
              + "( BC)?");

  private static final long MICROS = 1_000_000;
  private static final long DAY_MICROS = 86_400 * MICROS;

  /** Days from 1970 to 2000, where PostgreSQL counts from; from 1970 the last years overflow. */
  private static final long EPOCH_2000 = 10_957;

  @Override
  public Comparable<?> of(byte[] value) {
    String text = ValueKey.text(value);
    if (text.equals("infinity")) {
      return Long.MAX_VALUE;
    }
    if (text.equals("-infinity")) {
      return Long.MIN_VALUE;
    }
    Matcher matcher = ISO.matcher(text);
    if (!matcher.matches()) {
      throw notIso();
    }
    return switch (type) {
      case DATE -> days(matcher);
      case TIME -> micros(matcher);
      default -> days(matcher) * DAY_MICROS + micros(matcher) - offsetMicros(matcher);
    };
  }

  private MergeRefusedException notIso() {
    return new MergeRefusedException(
        SqlState.FEATURE_NOT_SUPPORTED,
        "column \"" + column.name() + "\" is shown in another format than DateStyle ISO",
        "SET datestyle TO ISO before a query whose rows are merged by a date or time.");
  }

  private long days(Matcher matcher) {
    if (matcher.group(1) == null) {
      throw notIso();
    }
    int year = number(matcher, 1);
    int signed = matcher.group(12) == null ? year : 1 - year;
    try {
      return LocalDate.of(signed, number(matcher, 2), number(matcher, 3)).toEpochDay() - EPOCH_2000;
    } catch (DateTimeException e) {
      throw notIso();
    }
  }

  private static long micros(Matcher matcher) {
    if (matcher.group(4) == null) {
      return 0;
    }
    String fraction = matcher.group(7) == null ? "" : matcher.group(7);
    long micros = Long.parseLong((fraction + "000000").substring(0, 6));
    return seconds(matcher, 4) * MICROS + micros;
  }

  private static long offsetMicros(Matcher matcher) {
    if (matcher.group(8) == null) {
      return 0;
    }
    long offset = seconds(matcher, 9) * MICROS;
    return matcher.group(8).equals("+") ? offset : -offset;
  }

  /** Hours, minutes and seconds in three groups, the last of which may be missing. */
  private static long seconds(Matcher matcher, int first) {
    return number(matcher, first) * 3600L
        + number(matcher, first + 1) * 60L
        + number(matcher, first + 2);
  }

  private static int number(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }
}
