package io.shardmark.driver.judge;

import static java.util.Objects.requireNonNullElse;

import io.shardmark.driver.results.Adversity;
import io.shardmark.driver.results.Drivers;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.QuietTime;
import io.shardmark.driver.results.RollingChecks;
import io.shardmark.driver.results.RunResult;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.driver.results.Texts;
import io.shardmark.driver.results.TypeResult;
import io.shardmark.driver.results.VerdictKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What transactions and their rates say: of the end, the server, the asked rate, the length. */
final class ServerJudge {
  private static final String WAITED_ADVICE = "look at what the server waited for at that time";
  private static final String CONNECTION_LOST = "CONNECTION_LOST";

  /** Of a message: its severity, and what follows its first sentence. */
  private static final Pattern AROUND_SENTENCE = Pattern.compile("^[A-Z]+: |\\.( .*)?$");

  private final RunResult run;
  private final double seconds;

  /** Successes of counted types. */
  private final long successes;

  /** Failed ones, deferred parts included. */
  private final long errors;

  /** All that ended, deferred parts included. */
  private final long all;

  /** Failed ones by the kind of their error. */
  private final Map<String, Long> failures = new LinkedHashMap<>();

  private final List<Finding> findings = new ArrayList<>();

  private ServerJudge(RunResult run) {
    this.run = run;
    seconds = run.interval().seconds();
    successes = run.transactionCount();
    errors = run.errorCount();
    all = run.types().stream().mapToLong(TypeResult::count).sum();
    for (TypeResult type : run.types()) {
      type.errorsByDisposition().forEach((kind, count) -> failures.merge(kind, count, Long::sum));
    }
  }

  static List<Finding> findings(RunResult run) {
    ServerJudge judge = new ServerJudge(run);
    judge.judgeEnd();
    judge.judgeQuiet();
    judge.judgeErrors();
    judge.judgeRate();
    judge.judgeOthers();
    judge.judgeLength();
    return judge.findings;
  }

  private void add(VerdictKind kind, String cause, String advice) {
    findings.add(new Finding(kind, cause, advice));
  }

  private void judgeEnd() {
    String detail = detail();
    if (run.run().ending() == Ending.ABORTED) {
      String cause = detail.isEmpty() ? "a fault of the driver" : detail;
      add(
          VerdictKind.ABORTED,
          "%s ended the run after %s".formatted(cause, Texts.seconds(seconds)),
          "do not use its figures");
    } else if (run.run().ending() == Ending.INCONSISTENT) {
      add(
          VerdictKind.INCONSISTENT,
          "a consistency condition does not hold, which ended the run after %s; %s"
              .formatted(Texts.seconds(seconds), violation()),
          "do not use its figures");
    } else if (run.run().ending() == Ending.INCOMPLETE) {
      add(
          VerdictKind.INCOMPLETE,
          "results of some drivers are missing, all rates are too low"
              + (detail.isEmpty() ? "" : " (" + detail + ")"),
          "repeat the run");
    }
    String nodes = run.database().getOrDefault(SystemFacts.NODES_LOST, "");
    if (!nodes.isEmpty()) {
      add(
          VerdictKind.SERVER_LOST,
          "%s did not answer the coordinator when the run was over".formatted(nodes),
          "look into the log there");
    }
  }

  private String violation() {
    Adversity adversity = run.adversity();
    RollingChecks checks = adversity == null ? null : adversity.checks();
    return checks == null || checks.violations().isEmpty()
        ? "no row is known"
        : checks.violations().get(0).sentence();
  }

  /** Cause of a fault, or which results are missing; may be empty. */
  private String detail() {
    if (!run.faults().isEmpty()) {
      return "%s in thread %s".formatted(run.faults().get(0).cause(), run.faults().get(0).thread());
    }
    Drivers drivers = run.drivers();
    return drivers == null
        ? ""
        : drivers.lost().stream()
            .map(one -> "driver %d: %s".formatted(one.index(), one.reason()))
            .collect(Collectors.joining(", "));
  }

  private long lost() {
    return failures.getOrDefault(CONNECTION_LOST, 0L);
  }

  private void judgeQuiet() {
    QuietTime quiet = run.quiet();
    boolean quietByChance = !QuietJudge.isMoreThanChance(run, quiet.seconds());
    boolean hangs = QuietJudge.answersNobodyAfterEnd(run);
    if (lost() > 0 && ((quiet.seconds() > 0 && !quietByChance) || successes == 0)) {
      add(VerdictKind.SERVER_LOST, lostText(quiet), "look into the server's log");
    } else if ((!quietByChance || hangs) && (successes > 0 || errors == 0)) {
      add(
          VerdictKind.STALLED,
          quietByChance
              ? "%s under way at the end did not end in the %d s after it, and no other was"
                  .formatted(
                      Texts.plural(brokenOff(), "transaction that was", "transactions that were"),
                      LoadFigures.GRACE_SECONDS)
              : stalledText(quiet, hangs),
          WAITED_ADVICE);
    } else {
      judgeStuck(quiet);
    }
  }

  /** Some stood still while others went on. */
  private void judgeStuck(QuietTime quiet) {
    LoadFigures load = requireNonNullElse(run.load(), LoadFigures.NONE);
    if (quiet.stuckShare() > Limits.MOST_STUCK_SHARE) {
      add(
          VerdictKind.STALLED,
          "%s of %s took %s or longer, %s and %s of all time in transactions"
              .formatted(
                  Texts.plural(quiet.stuck(), "transaction", "transactions"),
                  Texts.count(successes),
                  Texts.seconds(Math.max(Limits.STUCK_MILLIS / 1e3, quiet.stuckFromSeconds())),
                  Texts.seconds(quiet.stuckSeconds()),
                  Texts.percent(quiet.stuckShare())),
          WAITED_ADVICE);
    } else if (load.brokenOff() > 0 && run.run().ending() != Ending.ABORTED) {
      add(
          VerdictKind.STALLED,
          "%s of the %s that were under way at the end did not end in the %d s after it"
              .formatted(
                  Texts.count(load.brokenOff()),
                  Texts.plural(load.inFlightAtEnd(), "transaction", "transactions"),
                  LoadFigures.GRACE_SECONDS),
          WAITED_ADVICE);
    }
  }

  private long brokenOff() {
    return requireNonNullElse(run.load(), LoadFigures.NONE).brokenOff();
  }

  private String stalledText(QuietTime quiet, boolean hangs) {
    String from =
        "no transaction succeeded for %s from second %d on"
            .formatted(Texts.seconds((double) quiet.seconds()), quiet.fromSecond());
    if (!hangs) {
      return from;
    }
    return "%s%s, and %d that were under way did not end in the %d s after it"
        .formatted(
            from, quiet.toTheEnd() ? " to the end" : "", brokenOff(), LoadFigures.GRACE_SECONDS);
  }

  private String lostText(QuietTime quiet) {
    String back =
        quiet.toTheEnd()
            ? "and it was not back at the end"
            : "and it was back at second %d".formatted(quiet.fromSecond() + quiet.seconds());
    return "%s, no transaction succeeded for %s from second %d on, %s"
        .formatted(
            lostConnections(), Texts.seconds((double) quiet.seconds()), quiet.fromSecond(), back);
  }

  private void judgeErrors() {
    double errorShare = all == 0 ? 0 : (double) errors / all;
    List<String> none =
        run.types().stream()
            .filter(type -> type.errors() > 0 && type.successes() == 0)
            .map(TypeResult::name)
            .toList();
    if (errorShare > Limits.MOST_FAILED_SHARE) {
      add(
          VerdictKind.ERRORS,
          "%s of all (%s of %s)%s%s"
              .formatted(
                  Texts.percent(errorShare),
                  Texts.count(errors),
                  Texts.count(all),
                  kinds(),
                  none.isEmpty() ? "" : "; not one " + String.join(" or ", none) + " succeeded"),
          errorAdvice());
    } else if (!none.isEmpty()) {
      add(
          VerdictKind.ERRORS,
          "not one " + String.join(" or ", none) + " succeeded" + kinds(),
          errorAdvice());
    } else if (lost() > 0) {
      add(
          VerdictKind.ERRORS,
          "%s, and their transactions with them (%s of all)"
              .formatted(lostConnections(), Texts.percent((double) lost() / all)),
          "look into the server's log");
    }
  }

  private String lostConnections() {
    return "%s lost%s"
        .formatted(Texts.plural(lost(), "connection was", "connections were"), lossReason());
  }

  /** What was said of most lost connections: a cluster's endpoint names the node that is gone. */
  private String lossReason() {
    return run.errors().stream()
        .filter(error -> error.disposition().equals(CONNECTION_LOST))
        .max(Comparator.comparingLong(ErrorResult::count))
        .flatMap(error -> error.examples().stream().findFirst())
        .map(example -> AROUND_SENTENCE.matcher(example.message()).replaceAll(""))
        .map(" (%s)"::formatted)
        .orElse("");
  }

  private String kinds() {
    String most = mostFrequentFailure();
    return failures.isEmpty()
        ? ""
        : ", most by " + most + (most.equals(CONNECTION_LOST) ? lossReason() : "");
  }

  private String mostFrequentFailure() {
    return failures.entrySet().stream()
        .reduce((one, other) -> other.getValue() > one.getValue() ? other : one)
        .map(Map.Entry::getKey)
        .orElse("");
  }

  private String errorAdvice() {
    return switch (mostFrequentFailure()) {
      case "SERIALIZATION_FAILURE", "DEADLOCK" ->
          run.configuration().whole("retries") == 0
              ? "retries=3 tries such transactions again"
              : "fewer terminals meet each other less often";
      case CONNECTION_LOST -> "look into the server's log";
      default -> "their texts are in the list of errors";
    };
  }

  private void judgeRate() {
    AskedRate.of(run).forEach(this::judgeRate);
    double done = AskedRate.donePerMinute(run);
    double limit = limitTxnsPerMin();
    if (limit > 0 && done >= Limits.AT_LIMIT_SHARE * limit) {
      add(
          VerdictKind.LIMITED,
          "%s of the allowed %s transactions a minute were made"
              .formatted(Texts.count(done), Texts.count(limit)),
          "limitTxnsPerMin=0 shows what the system can do");
    }
  }

  /**
   * Only where a transaction is one commit, as of a workload whose headlines the database counts.
   */
  private void judgeOthers() {
    Double commits = run.databaseFigures().get("xact_commit");
    Double headlines = run.databaseFigures().get(SystemFacts.HEADLINES + "_increase");
    if (commits == null || headlines == null || seconds <= 0) {
      return;
    }
    long own = run.types().stream().mapToLong(TypeResult::committed).sum();
    double others =
        commits - own - run.serverWaits().samples() - Limits.OBSERVER_COMMITS_PER_SECOND * seconds;
    if (others > Limits.MOST_FOREIGN_COMMITS * commits
        && others > Limits.FEWEST_FOREIGN_PER_SECOND * seconds) {
      add(
          VerdictKind.SHARED_SERVER,
          "%s of the server's %s commits were not this run's"
              .formatted(Texts.percent(others / commits), Texts.count(commits)),
          "keep others off the server while you measure");
    }
  }

  private double limitTxnsPerMin() {
    return run.configuration().number("pacing", "limitTxnsPerMin");
  }

  private void judgeRate(AskedRate rate) {
    long growth = rate.load().backlogGrowth();
    if (rate.fellShort() && growth > run.configuration().whole("connections")) {
      add(
          VerdictKind.RATE_NOT_HELD,
          "%s%s transactions a minute were asked for, %s were done (%s), and the backlog grew by %s"
              .formatted(
                  rate.stage(),
                  Texts.count(rate.asked()),
                  Texts.count(rate.done()),
                  Texts.percent(rate.done() / rate.asked()),
                  Texts.count(growth)),
          rate.stage().isEmpty()
              ? rateAdvice(rate.done())
              : "a lower rate there shows what it can do");
    }
  }

  private String rateAdvice(double done) {
    if (limitTxnsPerMin() > 0) {
      return "limitTxnsPerMin=0 shows what the system can do";
    }
    long next = Math.round(Math.floor(Limits.NEXT_RATE_SHARE * done));
    return next < 1
        ? "the system took none of them"
        : "openLoopTxnsPerMin=%d asks for less".formatted(next);
  }

  private void judgeLength() {
    String few = Texts.plural(successes, "transaction", "transactions");
    if (seconds < Limits.SHORTEST_RUN_SECONDS && run.run().ending() == Ending.INTERRUPTED) {
      add(
          VerdictKind.TOO_SHORT,
          "a signal ended the run after %s with %s".formatted(Texts.seconds(seconds), few),
          "let it run for %s at least".formatted(Texts.seconds(Limits.SHORTEST_RUN_SECONDS)));
    } else if (seconds < Limits.SHORTEST_RUN_SECONDS) {
      add(
          VerdictKind.TOO_SHORT,
          "%s in %s".formatted(few, Texts.seconds(seconds)),
          measureFor(5, "five minutes"));
    } else if (successes < Limits.FEWEST_TRANSACTIONS) {
      add(
          VerdictKind.TOO_SHORT,
          "%s in %s, a 99th percentile takes %s"
              .formatted(few, Texts.seconds(seconds), Texts.count(Limits.FEWEST_TRANSACTIONS)),
          measureFor(longerMinutes(), "longer"));
    }
  }

  private String measureFor(long minutes, String time) {
    if (!run.stages().isEmpty()) {
      return "stages that last %s in all measure enough".formatted(time);
    }
    return run.configuration().whole("runTxnsPerTerminal") > 0
        ? "runTxnsPerTerminal=0 and runMins=%d measure for %s".formatted(minutes, time)
        : "runMins=%d measures for %s".formatted(minutes, time);
  }

  /** Enough for the fewest transactions at the rate that was seen, within what the key takes. */
  private long longerMinutes() {
    double perMinute = Math.max(1, successes * 60 / seconds);
    return Math.round(Math.ceil(1.2 * Limits.FEWEST_TRANSACTIONS / perMinute));
  }
}
