package io.shardmark.sql.embedded;

import io.shardmark.config.ConfigException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The options of {@code embedded:postgres[?option=value&...]} and of the forms that start several
 * servers, checked.
 *
 * @param data {@code data}: the directory that holds the server's files, or a directory for each of
 *     several servers; without it a temporary one
 * @param keep {@code keep}: whether the data outlives the server; the default is yes for a named
 *     directory, no for a temporary one
 * @param port {@code port}: 1 to 65535; without it a free one. That of the primary, or of the first
 *     proxy (the others take those that follow)
 * @param memoryBytes {@code memory}: what the server, or all together, may plan with; without it a
 *     share of the machine's
 * @param fsync {@code fsync}: whether a commit waits for the disk; on unless switched off, since
 *     figures of a server that does not are not comparable
 * @param connections {@code connections}: how many clients at once; without it what the run needs
 * @param settings {@code set.<name>}: PostgreSQL settings that override ours
 * @param shards {@code shards} of {@code embedded:sharded}: 1 to 64, 2 if it is not given
 * @param proxies {@code proxies} of {@code embedded:sharded}: 1 to 64, 1 if it is not given
 * @param via {@code via}: an address of 127.0.0.0/8, or {@code unix} for a Unix-domain socket; by
 *     that a client reaches the server, a standby its primary, or a proxy its servers. Without it
 *     127.0.0.1
 * @param standbys what follows the primary of {@code embedded:replicated}
 */
record EmbeddedOptions(
    Form form,
    Optional<Path> data,
    boolean keep,
    Optional<Integer> port,
    Optional<Long> memoryBytes,
    boolean fsync,
    Optional<Integer> connections,
    Map<String, String> settings,
    int shards,
    int proxies,
    Optional<String> via,
    Standbys standbys) {
  /** Of {@link #via}: the server's Unix-domain socket. */
  static final String UNIX = "unix";

  /**
   * The servers that follow a primary.
   *
   * @param logical {@code standby=logical}: they subscribe to the primary's tables; {@code
   *     physical}, the default: they replay its log
   * @param count {@code standbys}: 1 to 16, 1 if it is not given
   * @param subscriptions {@code subscriptions} of a logical standby: 1 to 64, each of which applies
   *     its share of the transactions, 1 if it is not given
   * @param synchronousToAll {@code synchronous=all}: a COMMIT that waits does so for all of them;
   *     {@code one}, the default: for whichever is first
   */
  record Standbys(boolean logical, int count, int subscriptions, boolean synchronousToAll) {
    static final Standbys ONE = new Standbys(false, 1, 1, false);
    private static final int MOST = 16;

    private static Standbys of(Map<String, String> given) {
      Standbys standbys =
          new Standbys(
              isChosen(given, "standby", "logical", "physical"),
              number(given, "standbys", MOST).orElse(1),
              number(given, "subscriptions", MOST_SERVERS).orElse(1),
              isChosen(given, "synchronous", "all", "one"));
      if (standbys.subscriptions > 1 && (!standbys.logical || standbys.count > 1)) {
        throw invalid(
            "subscriptions",
            Integer.toString(standbys.subscriptions),
            "1, or standby=logical and one standby");
      }
      return standbys;
    }
  }

  private static final String KNOWN =
      "data=DIR, keep=true|false, port=N, memory=SIZE, fsync=on|off, connections=N, via=ADDRESS, "
          + "set.<PostgreSQL setting>=VALUE";
  private static final Pattern SIZE = Pattern.compile("(\\d{1,9})\\s*(kB|KB|MB|GB|TB)");
  private static final Pattern SETTING = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");
  private static final long MIN_MEMORY_BYTES = 64L << 20;
  private static final int MOST_SERVERS = 64;

  EmbeddedOptions {
    settings = Map.copyOf(settings);
  }

  /** What is started. */
  enum Form {
    POSTGRES,
    REPLICATED("standby", "standbys", "subscriptions", "synchronous"),
    SHARDED("shards", "proxies");

    /** The options that other forms do not have. */
    @SuppressWarnings("ImmutableEnumChecker") // made by List.of
    private final List<String> own;

    Form(String... own) {
      this.own = List.of(own);
    }

    private String prefix() {
      return "embedded:" + name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * @param conn the value of the key {@code conn}
   * @throws ConfigException if it is not of the form above
   */
  static EmbeddedOptions parse(String conn) {
    int mark = conn.indexOf('?');
    String prefix = mark < 0 ? conn : conn.substring(0, mark);
    Form form =
        Stream.of(Form.values())
            .filter(known -> known.prefix().equals(prefix))
            .findFirst()
            .orElseThrow(
                () ->
                    new ConfigException(
                        "conn: \""
                            + conn
                            + "\" names no server that can be embedded; expected "
                            + Form.POSTGRES.prefix()
                            + "[?option=value&...]"));
    Map<String, String> given = new TreeMap<>();
    Map<String, String> settings = new TreeMap<>();
    String options = mark < 0 ? "" : conn.substring(mark + 1);
    for (String option : options.isEmpty() ? List.<String>of() : List.of(options.split("&", -1))) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw new ConfigException(
            "conn: \"" + option + "\" is not of the form option=value; options are " + KNOWN);
      }
      String name = option.substring(0, equals);
      put(form, name, decode(name, option.substring(equals + 1)), given, settings);
    }
    return checked(form, given, settings);
  }

  private static void put(
      Form form,
      String name,
      String value,
      Map<String, String> given,
      Map<String, String> settings) {
    boolean isSetting = name.startsWith("set.") && SETTING.matcher(name.substring(4)).matches();
    if (isSetting) {
      if (value.chars().anyMatch(c -> c < ' ')) {
        throw invalid(name, value, "a value without control characters");
      }
      settings.put(name.substring(4), value);
    } else if (form.own.contains(name)
        || KNOWN.matches("(?s)(.*, )?" + Pattern.quote(name) + "=.*")) {
      if (given.put(name, value) != null) {
        throw new ConfigException("conn: the option \"" + name + "\" is given twice");
      }
    } else {
      throw new ConfigException("conn: unknown option \"" + name + "\"; options are " + KNOWN);
    }
  }

  private static EmbeddedOptions checked(
      Form form, Map<String, String> given, Map<String, String> settings) {
    Optional<Path> data = given(given, "data").map(EmbeddedOptions::directory);
    boolean keep =
        given(given, "keep")
            .map(text -> choice("keep", text, "true", "false"))
            .orElse(data.isPresent());
    if (keep && data.isEmpty()) {
      throw invalid("keep", "true", "data=DIR with it, to say where");
    }
    int proxies = number(given, "proxies", MOST_SERVERS).orElse(1);
    Optional<String> via = given(given, "via").map(EmbeddedOptions::via);
    if (form == Form.SHARDED && proxies > 1 && via.filter(UNIX::equals).isPresent()) {
      throw invalid("proxies", Integer.toString(proxies), "1 with via=unix");
    }
    return new EmbeddedOptions(
        form,
        data,
        keep,
        number(given, "port", 65_535),
        given(given, "memory").map(EmbeddedOptions::size),
        given(given, "fsync").map(text -> choice("fsync", text, "on", "off")).orElse(true),
        number(given, "connections", 100_000),
        settings,
        number(given, "shards", MOST_SERVERS).orElse(2),
        proxies,
        via,
        Standbys.of(given));
  }

  /**
   * The options of one of several servers.
   *
   * @param servers how many share the memory
   * @param defaults PostgreSQL settings that the user's go before
   */
  EmbeddedOptions ofServer(
      Optional<Path> directory,
      Optional<Integer> serverPort,
      int servers,
      Map<String, String> defaults) {
    long memory = memoryBytes.orElseGet(() -> EmbeddedServer.machineMemoryBytes() / 2);
    Map<String, String> all = new HashMap<>(defaults);
    all.putAll(settings);
    return new EmbeddedOptions(
        Form.POSTGRES,
        directory,
        keep,
        serverPort,
        Optional.of(Math.max(MIN_MEMORY_BYTES, memory / servers)),
        fsync,
        connections,
        all,
        shards,
        proxies,
        via,
        standbys);
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

  private static String via(String text) {
    if (!text.equals(UNIX) && !text.matches("127(\\.\\d{1,3}){3}")) {
      throw invalid("via", text, "unix, or an address such as 127.1.0.1");
    }
    return text;
  }

  private static boolean isChosen(
      Map<String, String> given, String name, String chosen, String missing) {
    return given(given, name).map(text -> choice(name, text, chosen, missing)).orElse(false);
  }

  private static Optional<Integer> number(Map<String, String> given, String name, int max) {
    return given(given, name).map(text -> number(name, text, max));
  }

  private static String decode(String name, String value) {
    try {
      // A plus sign means itself: it is common in directory names and no form is submitted.
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
