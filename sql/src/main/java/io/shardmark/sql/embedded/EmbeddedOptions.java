package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of {@code embedded:postgres[?option=value&...]}, checked.
 *
 * @param data {@code data}: the directory that holds the server's files; without it a temporary one
 * @param keep {@code keep}: whether the data outlives the server; the default is yes for a named
 *     directory, no for a temporary one
 * @param port {@code port}: 1 to 65535; without it a free one
 * @param memoryBytes {@code memory}: what the server may plan with; without it a share of the
 *     machine's
 * @param fsync {@code fsync}: whether a commit waits for the disk; on unless switched off, since
 *     figures of a server that does not are not comparable
 * @param connections {@code connections}: how many clients at once; without it what the run needs
 * @param settings {@code set.<name>}: PostgreSQL settings that override ours
 */
record EmbeddedOptions(
    Optional<Path> data,
    boolean keep,
    Optional<Integer> port,
    Optional<Long> memoryBytes,
    boolean fsync,
    Optional<Integer> connections,
    Map<String, String> settings) {

  static final String PREFIX = "embedded:postgres";

  private static final String KNOWN =
      "data=DIR, keep=true|false, port=N, memory=SIZE, fsync=on|off, connections=N, "
          + "set.<PostgreSQL setting>=VALUE";
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})\\s*(kB|KB|MB|GB|TB)");
  private static final Pattern SETTING = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
  private static final long MIN_MEMORY_BYTES = 64L << 20;

  EmbeddedOptions {
    settings = Map.copyOf(settings);
  }

  /**
   * @param conn the value of the key {@code conn}
   * @throws ConfigException if it is not of the form above
   */
  static EmbeddedOptions parse(String conn) {
    if (!conn.equals(PREFIX) && !conn.startsWith(PREFIX + "?")) {
      throw new ConfigException(
          "conn: \""
              + conn
              + "\" names no server that can be embedded; expected "
              + PREFIX
              + "[?option=value&...]");
    }
    Map<String, String> given = new TreeMap<>();
    Map<String, String> settings = new TreeMap<>();
    if (conn.length() > PREFIX.length() + 1) {
      for (String option : conn.substring(PREFIX.length() + 1).split("&", -1)) {
        int equals = option.indexOf('=');
        if (equals < 1) {
          throw new ConfigException(
              "conn: \"" + option + "\" is not of the form option=value; options are " + KNOWN);
        }
        String name = option.substring(0, equals);
        put(name, decode(name, option.substring(equals + 1)), given, settings);
      }
    }
    return checked(given, settings);
  }

  /**
   * @param own values of the options that are not the server's, by name
   * @param server the other options
   */
  record Extended(Map<String, String> own, EmbeddedOptions server) {
    Extended {
      own = Map.copyOf(own);
    }
  }

  /**
   * The options of several servers: those of one, and some that are not a server's.
   *
   * @param conn {@code prefix} or {@code prefix?option=value&...}
   * @param own the names of these options
   * @throws ConfigException if {@code conn} is not of that form
   */
  static Extended parse(String conn, String prefix, List<String> own) {
    List<String> rest = new ArrayList<>();
    Map<String, String> values = new TreeMap<>();
    String options = conn.length() > prefix.length() ? conn.substring(prefix.length() + 1) : "";
    for (String option : options.isEmpty() ? List.<String>of() : List.of(options.split("&", -1))) {
      int equals = option.indexOf('=');
      String name = equals < 0 ? "" : option.substring(0, equals);
      if (!own.contains(name)) {
        rest.add(option);
      } else if (values.put(name, option.substring(equals + 1)) != null) {
        throw new ConfigException("conn: the option \"" + name + "\" is given twice");
      }
    }
    return new Extended(
        values, parse(PREFIX + (rest.isEmpty() ? "" : "?" + String.join("&", rest))));
  }

  private static void put(
      String name, String value, Map<String, String> given, Map<String, String> settings) {
    boolean isSetting = name.startsWith("set.") && SETTING.matcher(name.substring(4)).matches();
    if (isSetting) {
      if (value.chars().anyMatch(c -> c < ' ')) {
        throw invalid(name, value, "a value without control characters");
      }
      settings.put(name.substring(4), value);
    } else if (KNOWN.matches("(?s)(.*, )?" + Pattern.quote(name) + "=.*")) {
      if (given.put(name, value) != null) {
        throw new ConfigException("conn: the option \"" + name + "\" is given twice");
      }
    } else {
      throw new ConfigException("conn: unknown option \"" + name + "\"; options are " + KNOWN);
    }
  }

  private static EmbeddedOptions checked(Map<String, String> given, Map<String, String> settings) {
    Optional<Path> data = given(given, "data").map(EmbeddedOptions::directory);
    boolean keep =
        given(given, "keep")
            .map(text -> choice("keep", text, "true", "false"))
            .orElse(data.isPresent());
    if (keep && data.isEmpty()) {
      throw invalid("keep", "true", "data=DIR beside it, to say where");
    }
    return new EmbeddedOptions(
        data,
        keep,
        number(given, "port", 65_535),
        given(given, "memory").map(EmbeddedOptions::size),
        given(given, "fsync").map(text -> choice("fsync", text, "on", "off")).orElse(true),
        number(given, "connections", 100_000),
        settings);
  }

  private static Optional<String> given(Map<String, String> given, String name) {
    return Optional.ofNullable(given.get(name));
  }

  private static Path directory(String text) {
    if (text.isEmpty()) {
      throw invalid("data", text, "a directory");
    }
    return Path.of(text).toAbsolutePath().normalize();
  }

  private static Optional<Integer> number(Map<String, String> given, String name, int max) {
    return given(given, name).map(text -> number(name, text, max));
  }

  private static String decode(String name, String value) {
    try {
      // A plus sign stands for itself: it is common in directory names and no form is submitted.
      return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw invalid(name, value, "a percent sign to be written %25");
    }
  }

  private static boolean choice(String name, String value, String yes, String no) {
    if (value.equals(yes) || value.equals(no)) {
      return value.equals(yes);
    }
    throw invalid(name, value, yes + " or " + no);
  }

  private static int number(String name, String value, int max) {
    String expected = "a whole number from 1 to " + max;
    if (!value.matches("\\d{1,9}")) {
      throw invalid(name, value, expected);
    }
    int number = Integer.parseInt(value);
    if (number < 1 || number > max) {
      throw invalid(name, value, expected);
    }
    return number;
  }

  private static long size(String value) {
    String expected = "a size of at least 64MB such as 512MB or 4GB";
    Matcher matcher = SIZE.matcher(value);
    if (!matcher.matches()) {
      throw invalid("memory", value, expected);
    }
    int shift =
        switch (matcher.group(2)) {
          case "MB" -> 20;
          case "GB" -> 30;
          case "TB" -> 40;
          default -> 10;
        };
    long count = Long.parseLong(matcher.group(1));
    if (count > Long.MAX_VALUE >> shift || count << shift < MIN_MEMORY_BYTES) {
      throw invalid("memory", value, expected);
    }
    return count << shift;
  }

  private static ConfigException invalid(String name, String value, String expected) {
    return new ConfigException(
        "conn: option " + name + " is \"" + value + "\", expected " + expected);
  }
}
