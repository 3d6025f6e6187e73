package io.shardmark.config.proxy;

import io.shardmark.config.Processors;
import io.shardmark.config.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** From the texts of a file to values: numbers, ports, durations, sizes, words, secrets, paths. */
final class Scalars {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(us|ms|s|min|h|d)");
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})(kB|KB|MB|GB)");
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");
  private static final Map<String, Duration> UNITS =
      Map.of(
          "us", Duration.ofNanos(1000),
          "ms", Duration.ofMillis(1),
          "s", Duration.ofSeconds(1),
          "min", Duration.ofMinutes(1),
          "h", Duration.ofHours(1),
          "d", Duration.ofDays(1));

  /** Longer than anybody waits, and far from overflow in nanoseconds. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private Scalars() {}

  static int integer(YamlNode node, int least, int most) {
    String expected =
        most == Integer.MAX_VALUE
            ? "a whole number from " + least
            : "a whole number from " + least + " to " + most;
    return integer(node, least, most, expected);
  }

  static int port(YamlNode node) {
    return integer(node, 1, 65_535, "a port (1 to 65535)");
  }

  private static int integer(YamlNode node, int least, int most, String expected) {
    String text = node.text(expected);
    if (!text.matches("-?\\d{1,10}")) {
      throw node.unfit(expected);
    }
    long number = Long.parseLong(text);
    if (number < least || number > most) {
      throw node.unfit(expected);
    }
    return (int) number;
  }

  /** A duration that may be zero. */
  static Duration durationOrNever(YamlNode node) {
    String text = node.text("a duration such as 500ms, 10s, 5min, 1h; or 0");
    return text.equals("0") ? Duration.ZERO : duration(node);
  }

  /** A short duration that may be zero. */
  static Duration durationOrNever(YamlNode node, Duration longest) {
    Duration duration = durationOrNever(node);
    if (duration.compareTo(longest) > 0) {
      throw node.unfit("0, or a duration up to " + longest.toMillis() + "ms");
    }
    return duration;
  }

  /** A duration over zero. */
  static Duration duration(YamlNode node) {
    String expected = "a duration such as 500ms, 10s, 5min, 1h";
    Matcher matcher = DURATION.matcher(node.text(expected).replace(" ", ""));
    if (!matcher.matches()) {
      throw node.unfit(expected);
    }
    Duration unit = UNITS.getOrDefault(matcher.group(2), Duration.ZERO);
    Duration duration = unit.multipliedBy(Long.parseLong(matcher.group(1)));
    if (duration.isZero() || duration.compareTo(LONGEST) > 0) {
      throw node.unfit("a duration over zero, up to 365d");
    }
    return duration;
  }

  static long bytes(YamlNode node) {
    String expected = "a size such as 512kB, 64MB, 1GB";
    Matcher matcher = SIZE.matcher(node.text(expected).replace(" ", ""));
    if (!matcher.matches()) {
      throw node.unfit(expected);
    }
    int shift =
        switch (matcher.group(2)) {
          case "GB" -> 30;
          case "MB" -> 20;
          default -> 10;
        };
    return Long.parseLong(matcher.group(1)) << shift;
  }

  /** One of an enum's constants, written in lower case. */
  static <E extends Enum<E>> E word(YamlNode node, Class<E> type) {
    String words =
        String.join(", ", Arrays.stream(type.getEnumConstants()).map(Scalars::written).toList());
    String text = node.text("one of " + words);
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> written(constant).equals(text))
        .findFirst()
        .orElseThrow(() -> node.unfit("one of " + words));
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static Processors processors(YamlNode node) {
    String text = node.text("a list of processors");
    try {
      return Processors.parse(text);
    } catch (IllegalArgumentException e) {
      throw node.error("%s: expected %s".formatted(text, e.getMessage()));
    }
  }

  static boolean truth(YamlNode node) {
    return switch (node.text("true or false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw node.unfit("true or false");
    };
  }

  static Endpoint endpoint(YamlNode node) {
    return endpoint(node, 0);
  }

  /** Where a server listens. */
  static Endpoint server(YamlNode node) {
    return endpoint(node, 1);
  }

  private static Endpoint endpoint(YamlNode node, int lowest) {
    String expected = "host:port with a port from " + lowest + " to 65535";
    String text = node.text(expected);
    int colon = text.lastIndexOf(':');
    String host = colon < 1 ? "" : text.substring(0, colon);
    String port = text.substring(colon + 1);
    boolean brackets = host.startsWith("[") && host.endsWith("]");
    boolean ambiguous = host.contains(":") && !brackets;
    boolean fits = !host.isEmpty() && !ambiguous && port.matches("\\d{1,5}");
    if (!fits || Integer.parseInt(port) > 65_535 || Integer.parseInt(port) < lowest) {
      throw node.unfit(expected);
    }
    String bare = brackets ? host.substring(1, host.length() - 1) : host;
    return new Endpoint(bare.equals("*") ? "0.0.0.0" : bare, Integer.parseInt(port));
  }

  /** A secret; environment variables are put in, and nothing of it gets into a message. */
  static Secret secret(YamlNode node) {
    if (!node.isText()) {
      throw node.error("is not a text");
    }
    String text = node.text("a text");
    Matcher matcher = VARIABLE.matcher(text);
    StringBuilder value = new StringBuilder();
    while (matcher.find()) {
      String variable = matcher.group(1);
      String content = node.source().environment().get(variable);
      if (content == null) {
        throw node.error("the environment variable " + variable + " is not set");
      }
      matcher.appendReplacement(value, Matcher.quoteReplacement(content));
    }
    matcher.appendTail(value);
    if (value.indexOf("\0") >= 0 || value.isEmpty()) {
      throw node.error("is empty or has a zero byte");
    }
    return new Secret(value.toString());
  }

  /** A file that can be read; a relative path starts at the configuration file. */
  static Path file(YamlNode node) {
    Path path = node.source().directory().resolve(node.text("a path"));
    if (!Files.isReadable(path) || Files.isDirectory(path)) {
      throw node.error(path + " is not a file that can be read");
    }
    return path;
  }
}
