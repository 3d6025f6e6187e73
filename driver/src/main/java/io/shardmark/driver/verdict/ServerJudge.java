package io.shardmark.driver.verdict;

import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.VerdictKind;
import io.shardmark.driver.verdict.VerdictInput.Quiet;
import io.shardmark.driver.verdict.VerdictInput.StagePace;
import io.shardmark.driver.verdict.VerdictInput.TypeCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What transactions and their rates say: of the end, the server, the asked rate, the length. */
final class ServerJudge {
  /** A larger share of failed transactions is a verdict of its own. */
  private static final double MOST_ERRORS = 0.01;

  /** So many transactions a quiet time must lack: chance lacks 20 once in 500 million times. */
  private static final double EXPECTED_IN_QUIET = 20;

  private static final int SHORTEST_QUIET_SECONDS = 2;

  /** Of the rate that was asked or allowed. */
  private static final double HELD_SHARE = 0.98;

  private static final double AT_LIMIT_SHARE = 0.95;
  private static final double SHORTEST_SECONDS = 60;
  private static final long FEWEST_TRANSACTIONS = 1000;

  /** A rate to be asked next, of what was reached. */
  private static final double NEXT_RATE_SHARE = 0.9;

  private static final String CONNECTION_LOST = "CONNECTION_LOST";

  private final VerdictInput run;
  private final List<Finding> findings = new ArrayList<>();

  private ServerJudge(VerdictInput run) {
    this.run = run;
  }

  static List<Finding> findings(VerdictInput run) {
    ServerJudge judge = new ServerJudge(run);
    judge.judgeEnd();
    judge.judgeQuiet();
    judge.judgeErrors();
    judge.judgeRate();
    judge.judgeLength();
    return judge.findings;
  }

  private void add(VerdictKind kind, String cause, String advice) {
    findings.add(new Finding(kind, cause, advice));
  }

  private void judgeEnd() {
    if (run.ended() == VerdictInput.Ended.ABORTED) {
      String cause = run.endedDetail().isEmpty() ? "a fault of the driver" : run.endedDetail();
      add(
          VerdictKind.ABORTED,
          "%s ended the run after %s".formatted(cause, Figures.seconds(run.seconds())),
          "its figures are not to be used");
    } else if (run.ended() == VerdictInput.Ended.INCOMPLETE) {
      add(
          VerdictKind.INCOMPLETE,
          "results of some drivers are missing, all rates are too low"
              + (run.endedDetail().isEmpty() ? "" : " (" + run.endedDetail() + ")"),
          "repeat the run");
    }
  }

  private long lost() {
    return run.failures().getOrDefault(CONNECTION_LOST, 0L);
  }

  private boolean isTellingQuiet() {
    Quiet quiet = run.quiet();
    double rest = run.seconds() - quiet.seconds();
    // Of a run without a single success nothing is expected: its errors tell.
    return quiet.seconds() >= SHORTEST_QUIET_SECONDS
        && (rest <= 0
            ? run.successes() == 0
            : run.successes() / rest * quiet.seconds() >= EXPECTED_IN_QUIET);
  }

  private void judgeQuiet() {
    Quiet quiet = run.quiet();
    if (lost() > 0 && ((quiet.seconds() > 0 && isTellingQuiet()) || run.successes() == 0)) {
      add(VerdictKind.SERVER_LOST, lostText(quiet), "the server's log says why");
    } else if (isTellingQuiet() && (run.successes() > 0 || run.errors() == 0)) {
      add(
          VerdictKind.STALLED,
          "no transaction succeeded for %s from second %d on"
              .formatted(Figures.seconds((double) quiet.seconds()), quiet.fromSecond()),
          "see what the server waited for at that time");
    }
  }

  private String lostText(Quiet quiet) {
    String back =
        quiet.toTheEnd()
            ? "and it was not back at the end"
            : "and it was back at second %d".formatted(quiet.fromSecond() + quiet.seconds());
    return "%s lost, no transaction succeeded for %s from second %d on, %s"
        .formatted(
            Figures.plural(lost(), "connection was", "connections were"),
            Figures.seconds((double) quiet.seconds()),
            quiet.fromSecond(),
            back);
  }

  private void judgeErrors() {
    List<String> none =
        run.types().stream()
            .filter(type -> type.errors() > 0 && type.successes() == 0)
            .map(TypeCount::name)
            .toList();
    if (run.errorShare() > MOST_ERRORS) {
      add(
          VerdictKind.ERRORS,
          "%s of all transactions (%s of %s)%s%s"
              .formatted(
                  Figures.percent(run.errorShare()),
                  Figures.count((double) run.errors()),
                  Figures.count((double) run.all()),
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
          "%s lost, and their transactions with them (%s of all)"
              .formatted(
                  Figures.plural(lost(), "connection was", "connections were"),
                  Figures.percent((double) lost() / run.all())),
          "the server's log says why");
    }
  }

  private String kinds() {
    return run.failures().entrySet().stream()
        .findFirst()
        .map(most -> ", most by " + most.getKey())
        .orElse("");
  }

  private String errorAdvice() {
    String most = run.failures().entrySet().stream().findFirst().map(Map.Entry::getKey).orElse("");
    return switch (most) {
      case "SERIALIZATION_FAILURE", "DEADLOCK" ->
          run.pace().retries() == 0
              ? "with retries=3 such transactions are tried again"
              : "fewer terminals are in each other's way less";
      case CONNECTION_LOST -> "the server's log says why";
      default -> "their texts are in the list of errors";
    };
  }

  private void judgeRate() {
    double done = run.countedPerMinute();
    List<StagePace> stages = run.pace().stages();
    if (stages.isEmpty()) {
      judgeRate(new StagePace("", run.pace().askedPerMinute(), done, run.pace().backlogGrowth()));
    } else {
      stages.forEach(this::judgeRate);
    }
    int limit = run.pace().limitTxnsPerMin();
    if (limit > 0 && done >= AT_LIMIT_SHARE * limit) {
      add(
          VerdictKind.LIMITED,
          "%s of the allowed %s transactions a minute were made"
              .formatted(Figures.count(done), Figures.count(limit)),
          "limitTxnsPerMin=0 shows what the system can do");
    }
  }

  private void judgeRate(StagePace stage) {
    double asked = stage.askedPerMinute();
    double done = stage.donePerMinute();
    if (asked > 0
        && done < HELD_SHARE * asked
        && stage.backlogGrowth() > run.pace().connections()) {
      add(
          VerdictKind.RATE_NOT_HELD,
          "%s%s transactions a minute were asked, %s ended (%s), the backlog grew by %s"
              .formatted(
                  stage.name().isEmpty() ? "" : stage.name() + ": ",
                  Figures.count(asked),
                  Figures.count(done),
                  Figures.percent(done / asked),
                  Figures.count((double) stage.backlogGrowth())),
          stage.name().isEmpty() ? rateAdvice(done) : "a lower rate there shows what it can do");
    }
  }

  private String rateAdvice(double done) {
    if (run.pace().limitTxnsPerMin() > 0) {
      return "limitTxnsPerMin=0 shows what the system can do";
    }
    long next = Math.round(Math.floor(NEXT_RATE_SHARE * done));
    return next < 1
        ? "the system took none of them"
        : "openLoopTxnsPerMin=%d asks for less".formatted(next);
  }

  private void judgeLength() {
    String few = Figures.plural(run.successes(), "transaction", "transactions");
    if (run.seconds() < SHORTEST_SECONDS && run.ended() == VerdictInput.Ended.BY_SIGNAL) {
      add(
          VerdictKind.TOO_SHORT,
          "a signal ended the run after %s with %s".formatted(Figures.seconds(run.seconds()), few),
          "let it go on for %s at least".formatted(Figures.seconds(SHORTEST_SECONDS)));
    } else if (run.seconds() < SHORTEST_SECONDS) {
      add(
          VerdictKind.TOO_SHORT,
          "%s in %s".formatted(few, Figures.seconds(run.seconds())),
          run.pace().byCount()
              ? "runTxnsPerTerminal=0 and runMins=5 measure for five minutes"
              : "runMins=5 measures for five minutes");
    } else if (run.successes() < FEWEST_TRANSACTIONS) {
      add(
          VerdictKind.TOO_SHORT,
          "%s in %s, a 99th percentile takes %s"
              .formatted(few, Figures.seconds(run.seconds()), Figures.count(FEWEST_TRANSACTIONS)),
          run.pace().byCount()
              ? "runTxnsPerTerminal=0 and runMins=%d measure for longer".formatted(longerMinutes())
              : "runMins=%d measures for longer".formatted(longerMinutes()));
    }
  }

  /** Enough for the fewest transactions at the rate that was seen, within what the key takes. */
  private long longerMinutes() {
    double perMinute = Math.max(1, run.successes() * 60 / run.seconds());
    return Math.round(Math.ceil(1.2 * FEWEST_TRANSACTIONS / perMinute));
  }
}
