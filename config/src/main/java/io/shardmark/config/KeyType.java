package io.shardmark.config;

import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Which values a key takes: its bounds, and how the reference and messages name them. */
public sealed interface KeyType {
  /** Digits that no whole number here has. */
  Pattern TOO_LARGE = Pattern.compile("\\+?0*[1-9]\\d{9,}");

  /** No lower bound. */
  int NO_LEAST = Integer.MIN_VALUE;

  /** No upper bound. */
  int NO_MOST = Integer.MAX_VALUE;

  /** How the reference names the type, such as {@code int 1..3600}. */
  String label();

  /** Anything; who reads the key checks it. */
  record Text(String label) implements KeyType {}

  /** One of these names. */
  record Name(List<String> names) implements KeyType {
    @Override
    public String label() {
      return "name";
    }
  }

  /** {@code true} or {@code false}, in any case. */
  record Flag() implements KeyType {
    @Override
    public String label() {
      return "true/false";
    }
  }

  /** A whole number, both bounds included. */
  record Whole(int least, int most, String label) implements KeyType {}

  /** A decimal number without exponent, both bounds included. */
  record Decimal(BigDecimal least, BigDecimal most, String label) implements KeyType {}

  static KeyType text(String label) {
    return new Text(label);
  }

  /** The names of an enum's constants, in lower case or as a {@link NamedConstant} has them. */
  static <E extends Enum<E>> KeyType oneOf(Class<E> names) {
    return new Name(EnumSet.allOf(names).stream().map(KeyType::spelled).toList());
  }

  /** The constant that files name so. */
  static <E extends Enum<E>> Optional<E> constant(Class<E> names, String name) {
    return EnumSet.allOf(names).stream()
        .filter(constant -> spelled(constant).equals(name))
        .findFirst();
  }

  /** As files have the name of a constant. */
  static String spelled(Enum<?> constant) {
    return constant instanceof NamedConstant named
        ? named.propertyName()
        : constant.name().toLowerCase(Locale.ROOT);
  }

  static KeyType flag() {
    return new Flag();
  }

  static KeyType whole(int least, int most) {
    if (most != NO_MOST) {
      return new Whole(least, most, "int %d..%d".formatted(least, most));
    }
    return new Whole(least, most, least == NO_LEAST ? "int" : "int from " + least);
  }

  /**
   * @param label names a bound that depends on another key
   */
  static KeyType whole(int least, int most, String label) {
    return new Whole(least, most, label);
  }

  static KeyType decimal(int least, int most) {
    return decimal(least, most, "number %d..%d".formatted(least, most));
  }

  static KeyType decimal(int least, int most, String label) {
    return new Decimal(BigDecimal.valueOf(least), BigDecimal.valueOf(most), label);
  }

  /**
   * What a message says was expected instead of a value: of a number that is too large for any
   * bound, also the bound that goes without saying.
   */
  default String expected(String found) {
    return this instanceof Whole whole
            && whole.most == NO_MOST
            && TOO_LARGE.matcher(found.strip()).matches()
        ? expected() + " to " + Integer.MAX_VALUE
        : expected();
  }

  /** What a message says was expected. */
  default String expected() {
    if (this instanceof Whole whole) {
      return "a whole number"
          + (whole.least == NO_LEAST ? "" : " from " + whole.least)
          + (whole.most == NO_MOST ? "" : " to " + whole.most);
    }
    if (this instanceof Decimal decimal) {
      return "a number from " + decimal.least + " to " + decimal.most;
    }
    if (this instanceof Name name) {
      int last = name.names.size() - 1;
      return String.join(", ", name.names.subList(0, last)) + " or " + name.names.get(last);
    }
    return this instanceof Flag ? "true or false" : label();
  }
}
