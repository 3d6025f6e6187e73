package io.shardmark.config;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount of money, of the keys {@code systemPrice} and {@code pricePerHour}.
 *
 * @param currency three letters; empty if none was named
 */
public record Price(double amount, String currency) {
  private static final String EXPECTED = "a number above 0 and a currency, such as 12500 USD";
  private static final Pattern FORM =
      Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)(?:\\s+([A-Z]{3}))?");

  /** Reads it; empty if the text is no price. */
  public static Optional<Price> find(String text) {
    Matcher matcher = FORM.matcher(text.strip());
    return matcher.matches() && Double.parseDouble(matcher.group(1)) > 0
        ? Optional.of(
            new Price(
                Double.parseDouble(matcher.group(1)),
                Optional.ofNullable(matcher.group(2)).orElse("")))
        : Optional.empty();
  }

  /** Refuses keys that are no prices. */
  static void check(PropertyReader reader) {
    for (PropertyKey key : List.of(PropertyKey.SYSTEM_PRICE, PropertyKey.PRICE_PER_HOUR)) {
      reader
          .text(key)
          .filter(text -> find(text).isEmpty())
          .ifPresent(
              text -> {
                throw reader.bad(key, EXPECTED);
              });
    }
  }
}
