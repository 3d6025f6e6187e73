package io.shardmark.driver.command;

import io.shardmark.config.UsageException;
import io.shardmark.driver.run.ExitStatus;
import io.shardmark.driver.sweep.BuildMode;
import io.shardmark.driver.sweep.SearchGoal;
import io.shardmark.driver.sweep.Sweep;
import io.shardmark.driver.sweep.SweepArguments;
import io.shardmark.driver.sweep.SweepRequest;
import io.shardmark.driver.sweep.SweepRequest.SearchRequest;
import io.shardmark.driver.sweep.SweepRequest.SweepDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code sweep}: many runs over several databases, or a search for the most. */
@Command(
    name = "sweep",
    description = {
      "Runs a series over several databases and compares them, or searches for the most that each"
          + " can do.",
      "",
      "The same command again with the same --output, or --resume DIR, goes on where a sweep"
          + " stopped."
    })
final class SweepCommand implements Callable<Integer> {
  private static final Pattern PERCENT = Pattern.compile("(\\d{1,2}(?:\\.\\d{1,3})?)%");

  /** More repetitions than that are for who asks for them. */
  private static final int MOST_UNTIL = 20;

  private static final Pattern DURATION = Pattern.compile("(\\d{1,6})(ms|s|m|h|)");
  private static final Map<String, Integer> UNIT_MILLIS =
      Map.of("ms", 1, "m", 60_000, "h", 3_600_000);

  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "[NAME=]PROPS... [KEY VALUE]...",
      description = "properties files, then keys that win over those of all files")
  private List<String> words = List.of();

  @Option(names = "--terminals", paramLabel = "N,N,...", description = "terminals of the points")
  private @Nullable String terminals;

  @Option(
      names = "--param",
      paramLabel = "KEY=V,V,...",
      description =
          "each file with each value of a key, or of an option of embedded servers such as shards")
  private @Nullable String parameter;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "how often each point is run (default: 1; with --until at most, default: 20)")
  private @Nullable String repeat;

  @Option(
      names = "--until",
      paramLabel = "PERCENT",
      description =
          "repeats until the intervals of the ratios to the first database are that narrow, such as"
              + " 2%%")
  private @Nullable String until;

  @Option(
      names = "--reset",
      description = "puts the tables back to the state after the load before each run")
  private boolean reset;

  @Option(
      names = "--settle",
      paramLabel = "TIME",
      description = "pause between two runs, such as 30s or 2m (default: 10s)")
  private String settle = "10s";

  @Option(
      names = "--output",
      paramLabel = "DIR",
      description = "directory of the sweep (default: sweep_ and the time)")
  private @Nullable Path output;

  @Option(
      names = "--resume",
      paramLabel = "DIR",
      description = "goes on with the sweep of this directory; needs nothing else")
  private @Nullable Path resume;

  @Option(
      names = "--build",
      paramLabel = "WHEN",
      description =
          "auto (default: embedded databases that keep nothing, once), never, first, each (point)")
  private String build = "auto";

  @Option(names = "--no-verify", description = "does not check the data after each run")
  private boolean withoutVerify;

  @Option(
      names = "--search",
      paramLabel = "GOAL",
      description = "instead of a series: the highest tpmC, the most terminals, or warehouses")
  private @Nullable String search;

  @Option(names = "--from", paramLabel = "N", description = "least value of a search (default: 1)")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "N", description = "greatest value of a search")
  private @Nullable String to;

  @Option(
      names = "--step",
      paramLabel = "N",
      description = "a search tries values in steps of so many (default: to about a twentieth)")
  private @Nullable String step;

  @Option(
      names = "--hold",
      paramLabel = "PERCENT",
      description = "share of the maximum that is held after a search; 0: no hold (default: 70)")
  private @Nullable String hold;

  @Override
  public Integer call() throws IOException, InterruptedException {
    SweepRequest request;
    Path directory;
    if (resume != null) {
      requireNothingBesideResume();
      directory = resume;
      request = Sweep.requestOf(directory);
    } else {
      request = request();
      directory = output == null ? Path.of("sweep_" + now()) : output;
    }
    return new Sweep(request, directory, DatabaseVerbs::say).run()
        ? ExitStatus.OK
        : ExitStatus.FAILED;
  }

  static String now() {
    return LocalDateTime.now(ZoneId.systemDefault())
        .format(DateTimeFormatter.ofPattern("yyyy-MM-dd_HHmmss", Locale.ROOT));
  }

  private void requireNothingBesideResume() {
    if (Objects.requireNonNull(spec).commandLine().getParseResult().matchedArgs().size() > 1) {
      throw new UsageException(
          "--resume %s: expected no other argument: the plan in the directory says what to do"
              .formatted(resume));
    }
  }

  private SweepRequest request() {
    SweepArguments arguments = SweepArguments.parse(words);
    List<SweepDatabase> databases = arguments.databases(parameter);
    SearchRequest searched = searchRequest(databases.get(0));
    if (searched == null && terminals == null) {
      throw new UsageException("--terminals is missing: expected numbers such as 20,50,100");
    }
    return new SweepRequest(
        databases,
        terminals == null ? List.of() : terminalList(terminals),
        number("--repeat", repeat, until == null ? 1 : MOST_UNTIL, 1, 1000),
        seconds(settle),
        reset ? resetMode() : buildMode(build),
        !withoutVerify,
        arguments.overrides(),
        searched,
        untilPercent(databases.size()));
  }

  private BuildMode resetMode() {
    if (!build.equals("auto")) {
      throw new UsageException("--reset: expected no --build with it");
    }
    return BuildMode.RESET;
  }

  private double untilPercent(int databases) {
    if (until == null) {
      return 0;
    }
    Matcher matcher = PERCENT.matcher(until);
    double percent = matcher.matches() ? Double.parseDouble(matcher.group(1)) : 0;
    if (percent <= 0 || databases < 2) {
      throw new UsageException(
          "--until %s: expected a percentage such as 2%%, and two databases or more"
              .formatted(until));
    }
    return percent;
  }

  private @Nullable SearchRequest searchRequest(SweepDatabase first) {
    if (search == null) {
      if (Stream.of(from, to, step, hold).anyMatch(Objects::nonNull)) {
        throw new UsageException("--from, --to, --step and --hold belong to --search GOAL");
      }
      return null;
    }
    if (terminals != null || repeat != null || until != null) {
      throw new UsageException(
          "--search: chooses terminals and repetitions itself: expected none of --terminals,"
              + " --repeat and --until; --from and --to bound it");
    }
    int least = number("--from", from, 1, 1, Integer.MAX_VALUE);
    return new SearchRequest(
        SearchGoal.parse(search, first),
        least,
        number("--to", to, 0, least, Integer.MAX_VALUE),
        number("--step", step, 0, 1, Integer.MAX_VALUE),
        number("--hold", hold, 70, 0, 100));
  }

  static BuildMode buildMode(String build) {
    return Stream.of(BuildMode.values())
        .filter(mode -> mode != BuildMode.RESET)
        .filter(mode -> mode.toString().equalsIgnoreCase(build))
        .findFirst()
        .orElseThrow(
            () ->
                new UsageException(
                    "--build %s: expected one of auto, never, first, each".formatted(build)));
  }

  private static List<Integer> terminalList(String text) {
    List<Integer> numbers = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      int number = part.strip().matches("\\d{1,9}") ? Integer.parseInt(part.strip()) : 0;
      if (number < 1 || numbers.contains(number)) {
        throw new UsageException(
            "--terminals %s: expected different whole numbers from 1, such as 20,50,100"
                .formatted(text));
      }
      numbers.add(number);
    }
    return numbers;
  }

  private static int number(
      String option, @Nullable String text, int missing, int least, int most) {
    if (text == null) {
      return missing;
    }
    long number = text.matches("\\d{1,10}") ? Long.parseLong(text) : -1;
    if (number < least || number > most) {
      throw new UsageException(
          "%s %s: expected a whole number from %d%s"
              .formatted(option, text, least, most == Integer.MAX_VALUE ? "" : " to " + most));
    }
    return (int) number;
  }

  private static double seconds(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      throw new UsageException(
          "--settle %s: expected a time such as 30s, 2m or 500ms".formatted(text));
    }
    return Long.parseLong(matcher.group(1))
        * UNIT_MILLIS.getOrDefault(matcher.group(2), 1000)
        / 1000.0;
  }
}
