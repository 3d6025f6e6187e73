package io.shardmark.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * A properties file of BenchmarkSQL 5.0, 5.1 or 5-stable, with our own keys. Reading finds only
 * faults of the text; each part checks its own keys when it is asked for. Immutable, safe on any
 * thread. All methods that read a value throw {@link ConfigException} with one line.
 */
public final class BenchmarkProperties {
  /** The line of a kept text after which the values of the command line follow. */
  public static final String FROM_COMMAND_LINE = "# from the command line:";

  static final String COMMAND_LINE = "command line";
  private static final String JOB_INDEX = "JOB_COMPLETION_INDEX";
  private static final int MASK_31_BITS = 0x7fffffff;

  private final Path source;
  private final String text;
  private final List<PropertiesText.PropertyLine> entries;
  private final Map<String, String> overrides;
  private final KeyTable keys;
  private final PropertyReader reader;
  private final List<String> warnings;
  private final long drawnSeed;

  private BenchmarkProperties(KeyCatalog catalog, Path source, String text, Pairs given) {
    this.source = source;
    this.text = text;
    this.entries = PropertiesText.entries(source.toString(), text);
    this.keys = new KeyTable(catalog, workload(catalog, given));
    this.overrides = knownOverrides(given);
    List<String> found = new ArrayList<>(repeated(given));
    Map<Key, PropertyReader.Located> values = fromFile(found);
    if (!this.overrides.containsKey(PropertyKey.WORKLOAD.key())) {
      refuseKeysOfOtherWorkloads(values);
    }
    this.overrides.forEach(
        (key, value) ->
            keys.named(key)
                .ifPresent(k -> values.put(k, new PropertyReader.Located(value, COMMAND_LINE))));
    indexFromEnvironment(values);
    this.reader = new PropertyReader(source.toString(), values, almostKeys());
    found.addAll(ConnectionConfig.warnings(reader));
    this.warnings = List.copyOf(found);
    this.drawnSeed = new SecureRandom().nextInt() & MASK_31_BITS;
  }

  /** Names and values of a command line, in their order; the last name may have no value. */
  private record Pairs(List<String> words) {
    static Pairs of(Map<String, String> overrides) {
      List<String> words = new ArrayList<>();
      overrides.forEach((key, value) -> words.addAll(List.of(key, value)));
      return new Pairs(words);
    }

    Optional<String> valueOf(Key key) {
      for (int i = 0; i + 1 < words.size(); i += 2) {
        if (words.get(i).equalsIgnoreCase(key.key())) {
          return Optional.of(words.get(i + 1));
        }
      }
      return Optional.empty();
    }
  }

  /**
   * Reads a file.
   *
   * @param overrides values that win over the file's, by key in any case
   * @throws ConfigException if the file cannot be read, holds a malformed escape or names an
   *     unknown workload
   * @throws UsageException if a name is no key
   */
  public static BenchmarkProperties read(
      KeyCatalog catalog, Path file, Map<String, String> overrides) {
    return parse(catalog, file, content(file), overrides);
  }

  /**
   * Reads a file with the name and value pairs that follow it on a command line. A name given twice
   * counts once, as first given, with a warning.
   *
   * @throws ConfigException if the file cannot be read, holds a malformed escape or names an
   *     unknown workload
   * @throws UsageException if the words are no pairs of a key and its value; BenchmarkSQL ignores
   *     such words in silence, and makes another run than its user wanted
   */
  public static BenchmarkProperties read(KeyCatalog catalog, Path file, List<String> arguments) {
    return parse(catalog, file, content(file), arguments);
  }

  /**
   * Takes properties that are in no file.
   *
   * @param source the file name in messages
   * @param text in the format of a properties file
   */
  public static BenchmarkProperties parse(
      KeyCatalog catalog, Path source, String text, Map<String, String> overrides) {
    return new BenchmarkProperties(catalog, source, text, Pairs.of(overrides));
  }

  /** As {@link #read(KeyCatalog, Path, List)}, with a text in place of the file's. */
  public static BenchmarkProperties parse(
      KeyCatalog catalog, Path source, String text, List<String> arguments) {
    return new BenchmarkProperties(catalog, source, text, new Pairs(arguments));
  }

  /** The workload that the file or the command line names: all other keys depend on it. */
  private String workload(KeyCatalog catalog, Pairs given) {
    String value = "";
    String place = COMMAND_LINE;
    for (PropertiesText.PropertyLine entry : entries) {
      if (entry.key().equals(PropertyKey.WORKLOAD.key())) {
        value = entry.value();
        place = source + ":" + entry.line();
      }
    }
    Optional<String> overriding = given.valueOf(PropertyKey.WORKLOAD);
    if (overriding.isPresent()) {
      value = overriding.get();
      place = COMMAND_LINE;
    }
    String found = value.isBlank() ? catalog.defaultWorkload() : value;
    String where = place;
    return KeyTable.workload(catalog, found)
        .orElseThrow(
            () ->
                new ConfigException(
                    "%s: workload=%s: expected %s"
                        .formatted(where, found, catalog.expected(KeyCatalog.name(found)))));
  }

  private static String content(Path file) {
    if (Files.isDirectory(file)) {
      throw new ConfigException(file + ": is a directory: expected a properties file");
    }
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new ConfigException(file + ": " + FileFault.cause(e));
    }
  }

  private Map<Key, String> almostKeys() {
    Map<Key, String> almost = new LinkedHashMap<>();
    for (PropertiesText.PropertyLine entry : entries) {
      if (keys.named(entry.key()).isEmpty()) {
        keys.inAnyCase(entry.key())
            .ifPresent(
                key -> almost.put(key, "%s:%d: %s".formatted(source, entry.line(), entry.key())));
      }
    }
    return almost;
  }

  private Map<Key, PropertyReader.Located> fromFile(List<String> found) {
    Map<Key, PropertyReader.Located> values = new LinkedHashMap<>();
    Map<String, Integer> lines = new LinkedHashMap<>();
    for (PropertiesText.PropertyLine entry : entries) {
      String place = source + ":" + entry.line();
      Optional<Key> key = keys.named(entry.key());
      if (key.isEmpty()) {
        keys.hint(entry.key())
            .ifPresent(
                hint ->
                    found.add(
                        "%s: unknown key '%s' is ignored: %s".formatted(place, entry.key(), hint)));
        continue;
      }
      Integer before = lines.put(entry.key(), entry.line());
      if (before != null) {
        found.add(
            "%s: key '%s' is also on line %d: the last one counts"
                .formatted(place, entry.key(), before));
      }
      values.put(key.get(), new PropertyReader.Located(entry.value(), place));
    }
    return values;
  }

  /**
   * In a file that names its workload, a key of another one is a mistake that would make another
   * run. A file that names none is BenchmarkSQL's, or its workload comes from the command line.
   */
  private void refuseKeysOfOtherWorkloads(Map<Key, PropertyReader.Located> values) {
    if (!values.containsKey(PropertyKey.WORKLOAD)) {
      return;
    }
    for (PropertiesText.PropertyLine entry : entries) {
      if (keys.otherWorkload(entry.key()).isPresent()) {
        throw new ConfigException(
            "%s:%d: wrong key '%s': %s"
                .formatted(
                    source, entry.line(), entry.key(), keys.hint(entry.key()).orElseThrow()));
      }
    }
  }

  /** A pod of a Kubernetes Job with {@code completionMode: Indexed} gets its index this way. */
  private static void indexFromEnvironment(Map<Key, PropertyReader.Located> values) {
    String index = System.getenv(JOB_INDEX);
    if (index != null && values.containsKey(PropertyKey.DRIVERS)) {
      values.putIfAbsent(
          PropertyKey.DRIVER_INDEX,
          new PropertyReader.Located(index, "environment variable " + JOB_INDEX));
    }
  }

  private Map<String, String> knownOverrides(Pairs given) {
    Map<String, String> known = new LinkedHashMap<>();
    List<String> words = given.words();
    for (int i = 0; i < words.size(); i += 2) {
      String key = knownKey(words.get(i)).key();
      if (i + 1 == words.size()) {
        throw new UsageException(
            "%s: key '%s' has no value: expected KEY VALUE pairs after the file"
                .formatted(COMMAND_LINE, key));
      }
      known.putIfAbsent(key, words.get(i + 1));
    }
    return known;
  }

  private static List<String> repeated(Pairs given) {
    List<String> warnings = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < given.words().size(); i += 2) {
      String name = given.words().get(i);
      if (!seen.add(name.toLowerCase(Locale.ROOT))) {
        warnings.add(COMMAND_LINE + ": '" + name + "' is given again: the first one counts");
      }
    }
    return warnings;
  }

  private Key knownKey(String name) {
    return keys.inAnyCase(name).orElseThrow(() -> notAKey(name));
  }

  private UsageException notAKey(String word) {
    int equals = word.indexOf('=');
    Optional<Key> named = equals > 0 ? keys.inAnyCase(word.substring(0, equals)) : Optional.empty();
    if (named.isPresent()) {
      return new UsageException(
          "%s: '%s' is no key: expected a key and its value as two words, '%s %s'"
              .formatted(
                  COMMAND_LINE,
                  PasswordMask.inPair(word),
                  named.get().key(),
                  PasswordMask.inPair(word).substring(equals + 1)));
    }
    String meant =
        keys.hint(equals > 0 ? word.substring(0, equals) : word)
            .orElse("expected KEY VALUE pairs after the file");
    return new UsageException(
        "%s: unknown key '%s': %s".formatted(COMMAND_LINE, PasswordMask.inPair(word), meant));
  }

  /** The workload that the file names, one of the catalog's. */
  public String workload() {
    return keys.workload();
  }

  /** The values as they are read, for the keys of a workload. */
  public PropertyReader values() {
    return reader;
  }

  /** The file as it was named, or the name given to {@link #parse}. */
  public Path source() {
    return source;
  }

  /**
   * A value as written, unchecked, without trailing blanks; empty if there is none or the key is
   * unknown. For console lines and {@code runInfo.csv}. Not for the password.
   */
  public Optional<String> text(String key) {
    return keys.named(key).filter(k -> k != PropertyKey.PASSWORD).flatMap(reader::text);
  }

  /** All known keys with a value, in the order of the reference. */
  public List<Setting> settings() {
    List<Setting> settings = new ArrayList<>();
    for (Key key : keys.all()) {
      Optional<PropertyReader.Located> located = reader.located(key);
      if (located.isPresent() && reader.has(key)) {
        String value =
            PasswordMask.isPasswordKey(key.key())
                ? PasswordMask.STARS
                : PasswordMask.inUrls(located.get().value().strip());
        settings.add(new Setting(key.key(), value, key.missing(), line(located.get().place())));
      }
    }
    return settings;
  }

  private OptionalInt line(String place) {
    String file = source + ":";
    return place.startsWith(file)
        ? OptionalInt.of(Integer.parseInt(place.substring(file.length())))
        : OptionalInt.empty();
  }

  /**
   * A refusal that became known when the value was used: with the place of the value in front, if
   * its message begins with a key that has one, {@code KEY=value: what was expected}.
   */
  public ConfigException located(ConfigException refusal) {
    String message = String.valueOf(refusal.getMessage());
    int equals = message.indexOf('=');
    Optional<PropertyReader.Located> located =
        equals < 0
            ? Optional.empty()
            : keys.named(message.substring(0, equals)).flatMap(reader::located);
    return located.map(one -> new ConfigException(one.place() + ": " + message)).orElse(refusal);
  }

  /** How to reach the database. */
  public ConnectionConfig connection() {
    return ConnectionConfig.read(reader);
  }

  /** The loader's settings. The same object draws the same seed for the loader and the run. */
  public LoadConfig load() {
    return new LoadConfig(
        reader.integer(PropertyKey.LOAD_WORKERS),
        reader.text(PropertyKey.FILE_LOCATION),
        reader.text(PropertyKey.CSV_NULL_VALUE).orElse("NULL"),
        seed(),
        reader.text(PropertyKey.SEED).isEmpty(),
        reader.constant(PropertyKey.LOAD_DIRECT, LoadDirect.class),
        reader.flag(PropertyKey.EVEN_SHARDS),
        reader.integer(PropertyKey.PARTITIONS));
  }

  /** Which of several drivers this is; several cannot make every kind of run. */
  public DriversConfig drivers() {
    DriversConfig config = DriversConfig.read(reader);
    if (config.areSeveral()) {
      DriversConfig.check(reader, run());
    }
    return config;
  }

  /** The driver's settings of the run, of all drivers together if there are several. */
  public RunConfig run() {
    return RunConfig.read(reader, seed());
  }

  /** Whether the ramp-up ends when the throughput is steady, if that is before its planned end. */
  public boolean isSteadyRampUp() {
    return RunConfig.isSteadyRampUp(reader);
  }

  /** Where and what a run writes. */
  public ResultConfig result() {
    return ResultConfig.read(reader);
  }

  /** Sessions in addition to those of the terminals. */
  public IdleConfig idle() {
    return IdleConfig.read(reader, connection(), run());
  }

  /** What is done to the system during a run, and how its data is checked meanwhile. */
  public AdversityConfig adversity() {
    return AdversityConfig.read(reader, connection(), run());
  }

  /**
   * Whether the run ends with the tests of clause 3.
   *
   * @throws ConfigException if it cannot
   */
  public boolean testsAcid() {
    boolean asked = reader.flag(PropertyKey.ACID);
    if (asked && connection().isNothing()) {
      throw reader.bad(PropertyKey.CONN, "a server with acid=true");
    }
    return asked;
  }

  /** How a run can be watched while it goes on. */
  public LiveConfig live() {
    return LiveConfig.read(reader);
  }

  /** What the threads that execute transactions are bound to. */
  public Processors processors() {
    return reader.name(PropertyKey.CPUS, Processors.ANY, Processors::parse);
  }

  private long seed() {
    Optional<String> seed = reader.text(PropertyKey.SEED);
    if (seed.isEmpty()) {
      return drawnSeed;
    }
    try {
      return Long.parseLong(seed.get());
    } catch (NumberFormatException e) {
      throw reader.bad(PropertyKey.SEED, "a whole number of at most 64 bits");
    }
  }

  /**
   * Faults of the text that do not stop anything: misspelt keys with what was meant, keys defined
   * twice, command line arguments that are ignored. One line each.
   */
  public List<String> warnings() {
    return warnings;
  }

  /**
   * Values of the run that are allowed but odd. One line each.
   *
   * @throws ConfigException where {@link #run} does
   */
  public List<String> runWarnings() {
    return run().warnings(reader);
  }

  /**
   * The text to keep as {@code run.properties} with a result, to be written in ISO-8859-1: the
   * file's bytes, every password replaced by stars. Values from the command line follow at the end,
   * where they count, so that the text says what was run.
   */
  public String maskedText() {
    StringBuilder masked = new StringBuilder(PasswordMask.inFile(text, entries));
    if (overrides.isEmpty()) {
      return masked.toString();
    }
    if (masked.length() > 0 && masked.charAt(masked.length() - 1) != '\n') {
      masked.append('\n');
    }
    masked.append(FROM_COMMAND_LINE).append('\n');
    overrides.forEach((key, value) -> masked.append(key).append('=').append(kept(key, value)));
    return masked.toString();
  }

  private static String kept(String key, String value) {
    if (PasswordMask.isPasswordKey(key)) {
      return PasswordMask.STARS + "\n";
    }
    return PropertiesText.escape(PasswordMask.inUrls(value)) + "\n";
  }
}
