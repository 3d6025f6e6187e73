package io.shardmark.proxy.shardmap;

import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Values of sharding columns of the types {@code uuid}, {@code date} and {@code timestamp}, from
 * PostgreSQL's formats. Of the many ways to write a date only that of ISO 8601 is read, which means
 * the same under every DateStyle; what does not depend on the session but is rare, such as years of
 * five digits, BC and infinity, is not read either. Pure.
 */
public final class KeyValues {
  /** PostgreSQL counts days and microseconds from here. */
  private static final LocalDate EPOCH = LocalDate.of(2000, 1, 1);

  private static final LocalDateTime EPOCH_TIME = EPOCH.atStartOfDay();
  private static final int UUID_BYTES = 16;
  private static final LocalDate LAST_DAY = LocalDate.of(9999, 12, 31);

  /** A zone behind a date or a time without zone is ignored (PG18 §8.5.1). */
  private static final String ZONE = "(?: ?[-+]\\d\\d(?::\\d\\d)?)?";

  private static final Pattern DATE =
      Pattern.compile("\\s*(\\d{4})-(\\d\\d)-(\\d\\d)" + ZONE + "\\s*");
  private static final Pattern TIMESTAMP =
      Pattern.compile(
          "\\s*(\\d{4})-(\\d\\d)-(\\d\\d)(?:[ T](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:\\.(\\d{1,6}))?)?)?"
              + ZONE
              + "\\s*");

  private KeyValues() {}

  /**
   * From the text format.
   *
   * @throws IllegalArgumentException if it cannot be read; the message is half a sentence
   */
  public static Object parse(KeyType type, CharSequence text) {
    return switch (type) {
      case UUID -> uuid(text);
      case DATE -> date(text);
      case TIMESTAMP -> timestamp(text);
      case INTEGER, TEXT -> throw new IllegalArgumentException("is of another kind");
    };
  }

  /**
   * From the binary format.
   *
   * @throws IllegalArgumentException if it cannot be read; the message is half a sentence
   */
  public static Object ofBinary(KeyType type, ByteBuffer value) {
    int length = value.remaining();
    int expected =
        switch (type) {
          case UUID -> UUID_BYTES;
          case DATE -> Integer.BYTES;
          case TIMESTAMP -> Long.BYTES;
          case INTEGER, TEXT -> -1;
        };
    if (length != expected) {
      throw new IllegalArgumentException("has " + length + " bytes");
    }
    return switch (type) {
      case UUID -> new UUID(value.getLong(), value.getLong());
      case DATE -> inRange(EPOCH.plusDays(value.getInt()).atStartOfDay()).toLocalDate();
      case TIMESTAMP -> ofMicros(value.getLong());
      case INTEGER, TEXT -> throw new IllegalArgumentException("is of another kind");
    };
  }

  private static LocalDateTime ofMicros(long micros) {
    if (micros == Long.MAX_VALUE || micros == Long.MIN_VALUE) {
      throw new IllegalArgumentException("is infinite");
    }
    return inRange(EPOCH_TIME.plus(micros, ChronoUnit.MICROS));
  }

  private static LocalDateTime inRange(LocalDateTime value) {
    if (value.getYear() < 1 || value.toLocalDate().isAfter(LAST_DAY)) {
      throw new IllegalArgumentException("is not in the years 1 to 9999");
    }
    return value;
  }

  /** Braces around and a hyphen behind each four digits are allowed (PG18 §8.12). */
  private static UUID uuid(CharSequence text) {
    int from = 0;
    int to = text.length();
    if (to > 1 && text.charAt(0) == '{' && text.charAt(to - 1) == '}') {
      from++;
      to--;
    }
    long[] halves = new long[2];
    int digits = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      boolean hyphen = c == '-' && digits % 4 == 0 && digits > 0 && digits < 32;
      if (hyphen && text.charAt(i - 1) != '-') {
        continue;
      }
      int digit = c < 128 ? Character.digit(c, 16) : -1;
      if (digit < 0 || digits == 32) {
        throw new IllegalArgumentException("is not a uuid");
      }
      halves[digits / 16] = halves[digits / 16] << 4 | digit;
      digits++;
    }
    if (digits != 32) {
      throw new IllegalArgumentException("is not a uuid");
    }
    return new UUID(halves[0], halves[1]);
  }

  private static LocalDate date(CharSequence text) {
    Matcher matcher = DATE.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("is not a date as 2026-11-21");
    }
    return day(matcher);
  }

  private static LocalDate day(Matcher matcher) {
    try {
      LocalDate day = LocalDate.of(number(matcher, 1), number(matcher, 2), number(matcher, 3));
      return inRange(day.atStartOfDay()).toLocalDate();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("is no day of the calendar");
    }
  }

  private static LocalDateTime timestamp(CharSequence text) {
    Matcher matcher = TIMESTAMP.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("is not a timestamp as 2026-11-21 10:20:30.123456");
    }
    String fraction = matcher.group(7);
    int nanos = fraction == null ? 0 : Integer.parseInt((fraction + "00000000").substring(0, 9));
    try {
      return day(matcher)
          .atTime(LocalTime.of(number(matcher, 4), number(matcher, 5), number(matcher, 6), nanos));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("is no time of day");
    }
  }

  private static int number(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Integer.parseInt(digits);
  }

  // ---- what PostgreSQL hashes ----

  static byte[] bytes(UUID value) {
    return ByteBuffer.allocate(UUID_BYTES)
        .putLong(value.getMostSignificantBits())
        .putLong(value.getLeastSignificantBits())
        .array();
  }

  static long days(LocalDate value) {
    return ChronoUnit.DAYS.between(EPOCH, value);
  }

  static long micros(LocalDateTime value) {
    return ChronoUnit.MICROS.between(EPOCH_TIME, value);
  }

  /** PostgreSQL compares the bytes, without a sign. */
  static int compare(UUID a, UUID b) {
    int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return high != 0
        ? high
        : Long.compareUnsigned(a.getLeastSignificantBits(), b.getLeastSignificantBits());
  }
}
