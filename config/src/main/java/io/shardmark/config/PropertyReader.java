package io.shardmark.config;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Values by key, checked one by one; every refusal is one line that names the place. */
final class PropertyReader {
  private static final int LONGEST_VALUE_SHOWN = 80;

  /** No exponents: a number of many digits could be written in few characters. */
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d{1,18}(\\.\\d{0,18})?|\\.\\d{1,18})");

  /**
   * A value and where it stands.
   *
   * @param place {@code props.pg:12} or {@code command line}
   */
  record Located(String value, String place) {}

  private final String source;
  private final Map<PropertyKey, Located> values;

  PropertyReader(String source, Map<PropertyKey, Located> values) {
    this.source = source;
    this.values = new LinkedHashMap<>(values);
  }

  /** The value without trailing blanks; an empty value is absent, but for an empty password. */
  Optional<String> text(PropertyKey key) {
    Located located = values.get(key);
    if (located == null) {
      return Optional.empty();
    }
    String value = key.keepsTrailingBlanks() ? located.value() : located.value().stripTrailing();
    return value.isEmpty() && !key.keepsTrailingBlanks() ? Optional.empty() : Optional.of(value);
  }

  boolean has(PropertyKey key) {
    return text(key).isPresent();
  }

  String required(PropertyKey key, String expected) {
    return text(key).orElseThrow(() -> missing(key, expected));
  }

  int integer(PropertyKey key, int least, int most, int missing) {
    return has(key) ? requiredInteger(key, least, most) : missing;
  }

  int requiredInteger(PropertyKey key, int least, int most) {
    String expected =
        "a whole number"
            + (least == Integer.MIN_VALUE ? "" : " from " + least)
            + (most == Integer.MAX_VALUE ? "" : " to " + most);
    String text = required(key, expected);
    try {
      int number = Integer.parseInt(text);
      if (number < least || number > most) {
        throw bad(key, expected);
      }
      return number;
    } catch (NumberFormatException e) {
      throw bad(key, expected);
    }
  }

  /** A decimal number without exponent, exactly as written. */
  BigDecimal decimal(PropertyKey key, BigDecimal missing, String expected) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return missing;
    }
    if (!DECIMAL.matcher(text.get()).matches()) {
      throw bad(key, expected);
    }
    return new BigDecimal(text.get());
  }

  /** A decimal number in a range that includes both ends. */
  double decimal(PropertyKey key, int least, int most, double missing) {
    String expected = "a number from " + least + " to " + most;
    BigDecimal number = decimal(key, BigDecimal.valueOf(missing), expected);
    if (number.compareTo(BigDecimal.valueOf(least)) < 0
        || number.compareTo(BigDecimal.valueOf(most)) > 0) {
      throw bad(key, expected);
    }
    return number.doubleValue();
  }

  /** BenchmarkSQL's rule: true in any case is true, everything else is false. */
  boolean isTrue(PropertyKey key) {
    return text(key).map("true"::equalsIgnoreCase).orElse(false);
  }

  /** True if a boolean key holds neither true nor false. */
  boolean isOddBoolean(PropertyKey key) {
    return text(key)
        .map(text -> text.toLowerCase(Locale.ROOT))
        .filter(text -> !text.equals("true") && !text.equals("false"))
        .isPresent();
  }

  /**
   * One of a fixed set of names.
   *
   * @param parse throws IllegalArgumentException whose message says what was expected
   */
  <T> T name(PropertyKey key, T missing, Function<String, T> parse) {
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return missing;
    }
    try {
      return parse.apply(text.get());
    } catch (IllegalArgumentException e) {
      throw bad(key, String.valueOf(e.getMessage()));
    }
  }

  ConfigException bad(PropertyKey key, String expected) {
    return new ConfigException(found(key) + ": expected " + expected);
  }

  ConfigException missing(PropertyKey key, String expected) {
    return new ConfigException(
        "%s: key '%s' is missing: expected %s".formatted(source, key.key(), expected));
  }

  ConfigException problem(String message) {
    return new ConfigException(inFile(message));
  }

  String inFile(String message) {
    return source + ": " + message;
  }

  /** {@code props.pg:12: warehouses=abc}, or only the file if the key is not there. */
  String found(PropertyKey key) {
    Located located = values.get(key);
    if (located == null) {
      return source + ": " + key.key() + " (not set)";
    }
    return located.place() + ": " + key.key() + "=" + shown(key, located.value());
  }

  private static String shown(PropertyKey key, String value) {
    if (key == PropertyKey.PASSWORD) {
      return PasswordMask.STARS;
    }
    String line = PasswordMask.inUrls(value).stripTrailing().replaceAll("\\p{Cntrl}", "?");
    return line.length() <= LONGEST_VALUE_SHOWN
        ? line
        : line.substring(0, LONGEST_VALUE_SHOWN) + "...";
  }
}
