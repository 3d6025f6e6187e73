package io.shardmark.config;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

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
  private final List<PropertiesText.Entry> entries;
  private final Map<String, String> overrides;
  private final PropertyReader reader;
  private final List<String> warnings;
  private final long drawnSeed;

  private BenchmarkProperties(
      Path source, String text, Map<String, String> overrides, List<String> warnings) {
    this.source = source;
    this.text = text;
    this.entries = PropertiesText.entries(source.toString(), text);
    List<String> found = new ArrayList<>(warnings);
    Map<PropertyKey, PropertyReader.Located> values = fromFile(found);
    this.overrides = knownOverrides(overrides);
    this.overrides.forEach(
        (key, value) ->
            PropertyKey.of(key)
                .ifPresent(k -> values.put(k, new PropertyReader.Located(value, COMMAND_LINE))));
    indexFromEnvironment(values);
    this.reader = new PropertyReader(source.toString(), values);
    found.addAll(new ConnectionConfigReader(reader).warnings());
    this.warnings = List.copyOf(found);
    this.drawnSeed = new SecureRandom().nextInt() & MASK_31_BITS;
  }

  /**
   * Reads a file.
   *
   * @param overrides values that win over the file's, by key in any case
   * @throws ConfigException if the file cannot be read or holds a malformed escape
   * @throws UsageException if a name is no key
   */
  public static BenchmarkProperties read(Path file, Map<String, String> overrides) {
    return new BenchmarkProperties(file, content(file), overrides, List.of());
  }

  /**
   * Reads a file with the name and value pairs that follow it on a command line. A name given twice
   * counts once, as first given, with a warning.
   *
   * @throws ConfigException if the file cannot be read or holds a malformed escape
   * @throws UsageException if the words are no pairs of a key and its value; BenchmarkSQL ignores
   *     such words in silence, and makes another run than its user wanted
   */
  public static BenchmarkProperties read(Path file, List<String> arguments) {
    return parse(file, content(file), arguments);
  }

  /**
   * Takes properties that are in no file.
   *
   * @param source stands for the file name in messages
   * @param text in the format of a properties file
   */
  public static BenchmarkProperties parse(Path source, String text, Map<String, String> overrides) {
    return new BenchmarkProperties(source, text, overrides, List.of());
  }

  /** As {@link #read(Path, List)}, with a text in place of the file's. */
  public static BenchmarkProperties parse(Path source, String text, List<String> arguments) {
    Map<String, String> overrides = new LinkedHashMap<>();
    List<String> warnings = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i += 2) {
      String name = arguments.get(i);
      String key = knownKey(name).key();
      if (i + 1 == arguments.size()) {
        throw new UsageException(
            "%s: key '%s' has no value: expected KEY VALUE pairs after the file"
                .formatted(COMMAND_LINE, key));
      }
      if (overrides.putIfAbsent(key, arguments.get(i + 1)) != null) {
        warnings.add(COMMAND_LINE + ": '" + name + "' is given again: the first one counts");
      }
    }
    return new BenchmarkProperties(source, text, overrides, warnings);
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

  private Map<PropertyKey, PropertyReader.Located> fromFile(List<String> found) {
    Map<PropertyKey, PropertyReader.Located> values = new EnumMap<>(PropertyKey.class);
    Map<String, Integer> lines = new LinkedHashMap<>();
    for (PropertiesText.Entry entry : entries) {
      String place = source + ":" + entry.line();
      Optional<PropertyKey> key = PropertyKey.of(entry.key());
      if (key.isEmpty()) {
        Spelling.suggestion(entry.key())
            .ifPresent(meant -> found.add(unknown(place, entry.key(), meant)));
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

  /** A pod of a Kubernetes Job with {@code completionMode: Indexed} is told its index this way. */
  private static void indexFromEnvironment(Map<PropertyKey, PropertyReader.Located> values) {
    String index = System.getenv(JOB_INDEX);
    if (index != null && values.containsKey(PropertyKey.DRIVERS)) {
      values.putIfAbsent(
          PropertyKey.DRIVER_INDEX,
          new PropertyReader.Located(index, "environment variable " + JOB_INDEX));
    }
  }

  private static String unknown(String place, String key, PropertyKey meant) {
    return "%s: unknown key '%s' is ignored: did you mean '%s'?".formatted(place, key, meant.key());
  }

  private static Map<String, String> knownOverrides(Map<String, String> overrides) {
    Map<String, String> known = new LinkedHashMap<>();
    overrides.forEach((name, value) -> known.putIfAbsent(knownKey(name).key(), value));
    return known;
  }

  private static PropertyKey knownKey(String name) {
    return anyCase(name).orElseThrow(() -> notAKey(name));
  }

  private static UsageException notAKey(String word) {
    int equals = word.indexOf('=');
    if (equals > 0 && anyCase(word.substring(0, equals)).isPresent()) {
      return new UsageException(
          "%s: '%s' is no key: expected a key and its value as two words, '%s %s'"
              .formatted(
                  COMMAND_LINE,
                  PasswordMask.inPair(word),
                  word.substring(0, equals),
                  PasswordMask.inPair(word).substring(equals + 1)));
    }
    String meant =
        Spelling.suggestion(equals > 0 ? word.substring(0, equals) : word)
            .map(key -> "did you mean '%s'?".formatted(key.key()))
            .orElse("expected KEY VALUE pairs after the file");
    return new UsageException(
        "%s: unknown key '%s': %s".formatted(COMMAND_LINE, PasswordMask.inPair(word), meant));
  }

  /** The key of this name in any case, as files write it; empty if there is none. */
  public static Optional<String> keyNamed(String name) {
    return anyCase(name).map(PropertyKey::key);
  }

  /** The key that was probably meant by a name that is none. */
  public static Optional<String> keyLike(String name) {
    return Spelling.suggestion(name).map(PropertyKey::key);
  }

  private static Optional<PropertyKey> anyCase(String name) {
    for (PropertyKey key : PropertyKey.values()) {
      if (key.key().equalsIgnoreCase(name)) {
        return Optional.of(key);
      }
    }
    return Optional.empty();
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
    return PropertyKey.of(key).filter(k -> k != PropertyKey.PASSWORD).flatMap(reader::text);
  }

  /** All known keys with a value, in the order of the reference. */
  public List<Setting> settings() {
    List<Setting> settings = new ArrayList<>();
    for (PropertyKey key : PropertyKey.values()) {
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
            : PropertyKey.of(message.substring(0, equals)).flatMap(reader::located);
    return located.map(one -> new ConfigException(one.place() + ": " + message)).orElse(refusal);
  }

  /** How to reach the database. */
  public ConnectionConfig connection() {
    return new ConnectionConfigReader(reader).read();
  }

  /** What the loader is told. The same object draws the same seed for the loader and the run. */
  public LoadConfig load() {
    WarehouseRange range = WarehouseRange.read(reader);
    return new LoadConfig(
        range.warehouses(),
        range.from(),
        range.to(),
        reader.integer(PropertyKey.LOAD_WORKERS),
        reader.text(PropertyKey.FILE_LOCATION),
        reader.text(PropertyKey.CSV_NULL_VALUE).orElse("NULL"),
        seed(),
        reader.text(PropertyKey.SEED).isEmpty(),
        reader.name(PropertyKey.LOAD_DIRECT, LoadDirect.AUTO, LoadDirect::of));
  }

  /** Which of several drivers this is. */
  public DriversConfig drivers() {
    return new DriversConfigReader(reader).read();
  }

  /** The run of all drivers together; the same as {@link #run} if there is one. */
  public RunConfig wholeRun() {
    return new RunConfigReader(reader, seed()).readWhole();
  }

  /** What the driver is told about the run: its share, if there are several drivers. */
  public RunConfig run() {
    return new RunConfigReader(reader, seed()).read();
  }

  /** Where and what a run writes. */
  public ResultConfig result() {
    return new ResultConfigReader(reader).read();
  }

  /** How a run can be watched while it goes on. */
  public LiveConfig live() {
    return new LiveConfigReader(reader).read();
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
    return new RunConfigReader(reader, seed()).warnings();
  }

  /**
   * The text to keep as {@code run.properties} beside a result, to be written in ISO-8859-1: the
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
