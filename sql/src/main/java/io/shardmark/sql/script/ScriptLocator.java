package io.shardmark.sql.script;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.config.FileFault;
import io.shardmark.config.Spelling;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds scripts as BenchmarkSQL's {@code runSQL.sh} does, and among the built-in ones after that:
 * an existing file whose name ends in {@code .sql}; then {@code sql.<db>/<name>.sql} and {@code
 * sql.common/<name>.sql} in the working directory; then the same two built in. The first one found
 * is taken as a whole, and one that says what the built-in one of its name says counts as built in;
 * a line <code>-- include sql.common/tableCreates.sql</code> in it includes that built-in script.
 * MariaDB uses the folder {@code sql.mysql} too, after {@code sql.mariadb}; an endpoint over
 * several servers has its own folder before {@code sql.<db>}.
 */
public final class ScriptLocator {
  private static final Pattern INCLUDE =
      Pattern.compile("(?m)^[ \\t]*(-- include (\\S+\\.sql))[ \\t]*$");

  private final Path workingDirectory;
  private final ScriptSet scripts;
  private final List<String> folders;

  /** Of an endpoint over several servers, whose tables want other keys. */
  private final Optional<String> shardFolder;

  /**
   * @param workingDirectory where local {@code sql.*} folders are looked for, and what relative
   *     file names are relative to
   * @param scripts of the benchmark
   */
  public ScriptLocator(Path workingDirectory, DatabaseKind database, ScriptSet scripts) {
    this(workingDirectory, scripts, folders(database), Optional.empty());
  }

  private ScriptLocator(
      Path workingDirectory,
      ScriptSet scripts,
      List<String> folders,
      Optional<String> shardFolder) {
    this.workingDirectory = workingDirectory;
    this.scripts = scripts;
    String parent = scripts.folder().isEmpty() ? "" : scripts.folder() + "/";
    this.folders = folders.stream().map(parent::concat).toList();
    this.shardFolder = shardFolder.map(parent::concat);
  }

  /**
   * The scripts for a database whose rows are spread over several servers.
   *
   * @param folder looked in before all others, such as {@code sql.sharded}
   */
  public static ScriptLocator forShards(
      Path workingDirectory, DatabaseKind database, ScriptSet scripts, String folder) {
    List<String> names = new ArrayList<>();
    names.add(folder);
    names.addAll(folders(database));
    return new ScriptLocator(workingDirectory, scripts, List.copyOf(names), Optional.of(folder));
  }

  private static List<String> folders(DatabaseKind database) {
    List<String> names = new ArrayList<>();
    names.add("sql." + database.propertyName());
    if (database == DatabaseKind.MARIADB) {
      names.add("sql." + DatabaseKind.MYSQL.propertyName());
    }
    names.add("sql.common");
    return List.copyOf(names);
  }

  /**
   * @throws ConfigException as {@link #locate(String)}
   */
  public Script locate(ScriptStep step) {
    return locate(step.scriptName());
  }

  /**
   * @param nameOrFile the name of a step, or the path of a file that ends in {@code .sql}
   * @throws ConfigException if there is no such script, naming all places looked in, or if its text
   *     cannot be read
   */
  public Script locate(String nameOrFile) {
    return scripts.numbered(withIncluded(find(nameOrFile)));
  }

  private static Script withIncluded(Script script) {
    Map<String, String> included = new HashMap<>();
    include(script.location(), script.text(), included);
    return new Script(script.location(), script.text(), included);
  }

  /** Adds what a text includes, and what that includes; built-in scripts form no circle. */
  private static void include(String location, String text, Map<String, String> included) {
    for (Matcher line = INCLUDE.matcher(text); line.find(); ) {
      String found =
          builtIn(line.group(2))
              .orElseThrow(
                  () ->
                      new ConfigException(
                          "%s: \"%s\" names no built-in script, expected one such as sql.common/tableCreates.sql"
                              .formatted(location, line.group(1))));
      included.put(line.group(1), found);
      include(location, found, included);
    }
  }

  private static Optional<String> builtIn(String resource) {
    try (InputStream in = ScriptLocator.class.getResourceAsStream("/" + resource)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the built-in script " + resource, e);
    }
  }

  private Script find(String nameOrFile) {
    if (nameOrFile.endsWith(".sql") && Files.isRegularFile(workingDirectory.resolve(nameOrFile))) {
      return read(workingDirectory.resolve(nameOrFile), nameOrFile);
    }
    Optional<Script> own = changed(nameOrFile);
    boolean isOfShards =
        shardFolder.flatMap(folder -> builtIn(resource(folder, nameOrFile))).isPresent();
    if (own.isEmpty() && hasOwnTables() && !isOfShards) {
      own =
          local(nameOrFile); // with own tables no script of ours takes the place of one moved away
    }
    if (own.isPresent()) {
      return own.get();
    }
    for (String folder : folders) {
      String resource = folder + "/" + nameOrFile + ".sql";
      Optional<String> text = builtIn(resource);
      if (text.isPresent()) {
        return new Script(resource + " (built in)", text.get());
      }
    }
    throw new ConfigException(notFound(nameOrFile));
  }

  private static String resource(String folder, String step) {
    return folder + "/" + step + ".sql";
  }

  /** The first of the working directory. */
  private Optional<Script> local(String step) {
    return folders.stream()
        .map(folder -> resource(folder, step))
        .filter(one -> Files.isRegularFile(workingDirectory.resolve(one)))
        .findFirst()
        .map(one -> read(workingDirectory.resolve(one), "./" + one));
  }

  /** The same, unless nobody has changed it. */
  private Optional<Script> changed(String step) {
    return local(step)
        .filter(one -> builtIn(one.location().substring(2)).filter(one.text()::equals).isEmpty());
  }

  private boolean hasOwnTables() {
    return scripts.beforeLoad().stream().findFirst().flatMap(this::changed).isPresent();
  }

  /**
   * Whether a build leaves a step out, as BenchmarkSQL does: the working directory has tables of
   * its user's, which may have keys already, and no script for the step.
   */
  public boolean isLeftOut(String step) {
    return hasOwnTables() && local(step).isEmpty();
  }

  private static Script read(Path file, String location) {
    try {
      return new Script(location, Files.readString(file));
    } catch (CharacterCodingException e) {
      throw new ConfigException(location + ": is not UTF-8 text, expected a SQL script");
    } catch (IOException e) {
      throw new ConfigException(location + ": cannot be read: " + FileFault.cause(e));
    }
  }

  private String notFound(String nameOrFile) {
    String directory = workingDirectory.toAbsolutePath().normalize().toString();
    if (nameOrFile.endsWith(".sql")) {
      return "Cannot locate SQL file for %s: no such file in the working directory %s"
          .formatted(nameOrFile, directory);
    }
    String places = String.join(", ", folders);
    List<String> steps = scripts.steps();
    String meant =
        Spelling.nearest(nameOrFile, steps.stream().filter(s -> !s.equals(nameOrFile)).toList())
            .map(step -> ": did you mean '%s'?".formatted(step))
            .orElse("; expected a file that ends in .sql, or a step: " + String.join(", ", steps));
    return "Cannot locate SQL file for %s: no %s.sql in %s of the working directory %s nor built in%s"
        .formatted(nameOrFile, nameOrFile, places, directory, meant);
  }
}
