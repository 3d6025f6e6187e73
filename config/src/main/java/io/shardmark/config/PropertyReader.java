package io.shardmark.config;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Values by key, checked one by one. Immutable, safe on any thread. A value that cannot be used is
 * a {@link ConfigException} of one line that names the place.
 */
public final class PropertyReader {
  private static final int LONGEST_VALUE_SHOWN = 80;

  /** No exponents: a number of many digits could be written in few characters. */
  private static final Pattern DECIMAL =
      Pattern.compile("[+-]?(\\d{1,18}(\\.\\d{0,18})?|\\.\\d{1,18})");

  /**
   * A value and its place.
   *
   * @param place {@code props.pg:12} or {@code command line}
   */
  record Located(String value, String place) {}

  private final String source;
  private final Map<Key, Located> values;

  /** Of words in the file that are keys but for their capitals, the line of each. */
  private final Map<Key, String> almost;

  PropertyReader(String source, Map<Key, Located> values, Map<Key, String> almost) {
    this.source = source;
    this.almost = Map.copyOf(almost);
    this.values = new LinkedHashMap<>(values);
  }

  /** The value without trailing blanks; an empty value is absent, but for an empty password. */
  public Optional<String> text(Key key) {
    Located located = values.get(key);
    if (located == null) {
      return Optional.empty();
    }
    String value = key.keepsTrailingBlanks() ? located.value() : located.value().stripTrailing();
    return value.isEmpty() && !key.keepsTrailingBlanks() ? Optional.empty() : Optional.of(value);
  }

  /** The value unchanged, and its place. */
  Optional<Located> located(Key key) {
    return Optional.ofNullable(values.get(key));
  }

  public boolean has(Key key) {
    return text(key).isPresent();
  }

  public String required(Key key, String expected) {
    return text(key).orElseThrow(() -> missing(key, expected));
  }

  /** A whole number within the key's bounds, by default what the key's declaration says. */
  public int integer(Key key) {
    return has(key) ? requiredInteger(key) : Integer.parseInt(key.missing());
  }

  /** A whole number within the key's bounds, whose default depends on other keys. */
  public int integer(Key key, int missing) {
    return has(key) ? requiredInteger(key) : missing;
  }

  /** A whole number whose bounds depend on other keys. */
  public int integer(Key key, int least, int most, int missing) {
    return has(key) ? requiredInteger(key, least, most) : missing;
  }

  /** A whole number within the key's bounds that must be there. */
  public int requiredInteger(Key key) {
    KeyType.Whole type = (KeyType.Whole) key.type();
    return requiredInteger(key, type.least(), type.most());
  }

  public int requiredInteger(Key key, int least, int most) {
    KeyType type = KeyType.whole(least, most);
    String text = required(key, type.expected());
    String expected = type.expected(text);
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

  /** A decimal number without exponent within the key's bounds, exactly as written. */
  public BigDecimal decimal(Key key) {
    return decimal(key, key.type().expected());
  }

  /**
   * The same, for a key whose bounds have better words.
   *
   * @param expected what a message says was expected
   */
  public BigDecimal decimal(Key key, String expected) {
    KeyType.Decimal type = (KeyType.Decimal) key.type();
    Optional<String> text = text(key);
    if (text.isEmpty()) {
      return new BigDecimal(key.missing());
    }
    if (!DECIMAL.matcher(text.get()).matches()) {
      throw bad(key, expected);
    }
    BigDecimal number = new BigDecimal(text.get());
    boolean tooLarge = number.compareTo(type.most()) > 0;
    if (number.compareTo(type.least()) < 0 || tooLarge) {
      String most = " to " + type.most();
      throw bad(key, tooLarge && !expected.contains(most) ? expected + ", up" + most : expected);
    }
    return number;
  }

  /** The constant that a key of {@link KeyType#oneOf} names, by default the declared one. */
  public <E extends Enum<E>> E constant(Key key, Class<E> names) {
    return KeyType.constant(names, text(key).orElse(key.missing()))
        .orElseThrow(() -> bad(key, key.type().expected()));
  }

  /** The same where the default depends on other keys. */
  public <E extends Enum<E>> E constant(Key key, E missing) {
    return has(key) ? constant(key, missing.getDeclaringClass()) : missing;
  }

  /** The value of a key of {@link KeyType#flag}. */
  public boolean flag(Key key) {
    String text = text(key).orElse(key.missing()).toLowerCase(Locale.ROOT);
    if (!text.equals("true") && !text.equals("false")) {
      throw bad(key, key.type().expected());
    }
    return text.equals("true");
  }

  /** BenchmarkSQL's rule: true in any case is true, everything else is false. */
  public boolean isTrue(Key key) {
    return text(key).map("true"::equalsIgnoreCase).orElse(false);
  }

  /** A warning for each of these keys that holds neither true nor false. */
  public List<String> oddBooleans(Key... keys) {
    return Stream.of(keys)
        .filter(
            key ->
                text(key)
                    .map(text -> text.toLowerCase(Locale.ROOT))
                    .filter(text -> !text.equals("true") && !text.equals("false"))
                    .isPresent())
        .map(key -> found(key) + " counts as false: expected true or false")
        .toList();
  }

  /**
   * One of a fixed set of names.
   *
   * @param parse throws IllegalArgumentException whose message says what was expected
   */
  public <T> T name(Key key, T missing, Function<String, T> parse) {
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

  public ConfigException bad(Key key, String expected) {
    return new ConfigException(found(key) + ": expected " + expected);
  }

  public ConfigException missing(Key key, String expected) {
    String place = almost.get(key);
    return new ConfigException(
        place == null
            ? "%s: key '%s' is missing: expected %s".formatted(source, key.key(), expected)
            : "%s: the key is '%s': capitals count in a file".formatted(place, key.key()));
  }

  /** A fault of several keys together: of the command line if one of them is there. */
  public ConfigException problem(String message, List<? extends Key> keys) {
    return new ConfigException(inFile(message, keys));
  }

  /** A message about several keys together. */
  public String inFile(String message, List<? extends Key> keys) {
    boolean fromCommandLine = keys.stream().anyMatch(this::isFromCommandLine);
    return (fromCommandLine ? BenchmarkProperties.COMMAND_LINE : source) + ": " + message;
  }

  /** Of keys that contradict each other, the one to blame: on the command line, or the first. */
  public Key blamed(Key first, Key second) {
    return isFromCommandLine(second) && !isFromCommandLine(first) ? second : first;
  }

  private boolean isFromCommandLine(Key key) {
    Located located = values.get(key);
    return located != null && located.place().equals(BenchmarkProperties.COMMAND_LINE);
  }

  /** {@code props.pg:12: warehouses=abc}, or only the file if the key is not there. */
  public String found(Key key) {
    Located located = values.get(key);
    if (located == null) {
      return source + ": " + key.key() + " (not set)";
    }
    return located.place() + ": " + key.key() + "=" + shown(key, located.value());
  }

  private static String shown(Key key, String value) {
    if (key == PropertyKey.PASSWORD) {
      return PasswordMask.STARS;
    }
    String line = PasswordMask.inUrls(value).stripTrailing().replaceAll("\\p{Cntrl}", "?");
    return line.length() <= LONGEST_VALUE_SHOWN
        ? line
        : line.substring(0, LONGEST_VALUE_SHOWN) + "...";
  }
}
