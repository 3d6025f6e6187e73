package io.shardmark.driver.judge;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.benchmark.TestProperties;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.ErrorResult;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.HoldUps;
import io.shardmark.driver.results.Latency;
import io.shardmark.driver.results.LoadFigures;
import io.shardmark.driver.results.MadeRun;
import io.shardmark.driver.results.QuietTime;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.results.SystemFacts;
import io.shardmark.driver.results.VerdictKind;
import io.shardmark.driver.results.VerdictKind.VerdictGrade;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class RunVerdictTest {
  private static final Pace UNPACED = new Pace(0, 0, false, 10, 0, 0);
  private static final Client EASY = load(0.5, 0.3, false, 0, 0);

  private static Client load(
      double cores, double busy, boolean withServer, double delay, double late) {
    return new Client(
        cores,
        2,
        busy,
        null,
        delay,
        withServer,
        0.001,
        0,
        0,
        0,
        0,
        0,
        late,
        50_000,
        2,
        0,
        0,
        null,
        null);
  }

  /** What was asked: a rate of 0 is none. */
  private record Pace(
      double asked, int limit, boolean byCount, int connections, int retries, long growth) {}

  private static MadeRun run(
      long successes, Map<String, Long> failures, QuietTime quiet, Pace pace) {
    return new MadeRun()
        .with(MadeRun.type("NEW_ORDER", successes, failures))
        .with(quiet)
        .with(MadeRun.load(pace.asked(), successes, pace.growth()))
        .told("connections", pace.connections())
        .told("retries", pace.retries())
        .told("runTxnsPerTerminal", pace.byCount() ? 100 : 0)
        .limit(pace.limit())
        .with(Map.of("the driver", EASY));
  }

  private static RunVerdict verdict(MadeRun run) {
    return RunJudge.of(run.result());
  }

  /** Over all of the run the rates are held; of a stage that held its own nothing is said. */
  @Test
  void eachStageHasToHoldItsRate() {
    RunVerdict verdict =
        verdict(
            run(50_000, Map.of(), QuietTime.NONE, UNPACED)
                .with(
                    MadeRun.load(30_000, 50_000, 0),
                    MadeRun.stage("1m:10000", MadeRun.load(10_000, 9_900, 100)),
                    MadeRun.stage("1m:40000", MadeRun.load(40_000, 30_000, 10_000)),
                    MadeRun.stage("1m:0", MadeRun.load(0, 10_000, -10_100))));

    assertThat(verdict.findings())
        .extracting(Finding::kind)
        .containsExactly(VerdictKind.RATE_NOT_HELD);
    assertThat(verdict.sentence())
        .contains(
            "stage 2 (1m:40000): 40,000 transactions a minute were asked for, 30,000 were done (75 %),"
                + " and the backlog grew by 10,000");
  }

  private static MadeRun driven(Client load) {
    return run(50_000, Map.of(), QuietTime.NONE, UNPACED).with(Map.of("the driver", load));
  }

  private static MadeRun lasting(double seconds, Ending ending, long successes, Pace pace) {
    return run(successes, Map.of(), QuietTime.NONE, pace).ended(ending, seconds);
  }

  @Test
  void anEasyRunIsClean() {
    assertThat(verdict(driven(EASY)).sentence())
        .isEqualTo("clean: nothing but the system under test limited this run of 100 s.");
  }

  @Test
  void aServerThatWasKilledIsNoFaultOfTheDriver() {
    RunVerdict verdict =
        verdict(run(20_000, Map.of("CONNECTION_LOST", 900L), new QuietTime(60, 40, 60), UNPACED));
    assertThat(verdict.sentence())
        .isEqualTo(
            "server lost: 900 connections were lost, no transaction succeeded for 60 s from second"
                + " 40 on, and it was not back at the end. Look into the server's log.");
    assertThat(verdict.has(VerdictKind.DRIVER_BOUND)).isFalse();
  }

  @Test
  void aServerThatCameBackWasLostAllTheSame() {
    RunVerdict verdict =
        verdict(run(50_000, Map.of("CONNECTION_LOST", 20L), new QuietTime(3, 40, 0), UNPACED));
    assertThat(verdict.sentence()).contains("and it was back at second 43");
  }

  @Test
  void terminatedBackendsAreFailedTransactions() {
    RunVerdict verdict =
        verdict(run(50_000, Map.of("CONNECTION_LOST", 10L), QuietTime.NONE, UNPACED));
    assertThat(verdict.sentence())
        .isEqualTo(
            "transactions failed: 10 connections were lost, and their transactions with them"
                + " (0.02 % of all). Look into the server's log.");
  }

  /** The endpoint of a cluster goes on; half of the rows are on the worker that is gone. */
  @Test
  void aLostNodeOfAClusterIsNamed() {
    String gone = "connection to the remote node bench@127.0.0.1:9702 failed";
    MadeRun run =
        run(20_000, Map.of("CONNECTION_LOST", 900L), QuietTime.NONE, UNPACED)
            .with(
                lost("57P01", 8, "FATAL: terminating connection due to administrator command"),
                lost("08006", 892, "ERROR: " + gone + ". It was refused."));
    assertThat(verdict(run).sentence())
        .isEqualTo(
            "transactions failed: 4.31 % of all (900 of 20,900), most by CONNECTION_LOST ("
                + gone
                + "). Look into the server's log.");
    assertThat(verdict(run.with(new QuietTime(60, 40, 60))).sentence())
        .startsWith("server lost: 900 connections were lost (" + gone + "), no transaction");
  }

  /** A node that is suspended answers nobody, and nothing fails. */
  @Test
  void aNodeThatDoesNotAnswerInTheEndIsNamed() {
    RunVerdict verdict =
        verdict(driven(EASY).facts(Map.of(SystemFacts.NODES_LOST, "127.0.0.1:9702")));
    assertThat(verdict.sentence())
        .isEqualTo(
            "server lost: 127.0.0.1:9702 did not answer the coordinator when the run was over."
                + " Look into the log there.");
  }

  private static ErrorResult lost(String sqlState, long count, String message) {
    return new ErrorResult(
        "NEW_ORDER",
        "CONNECTION_LOST",
        sqlState,
        count,
        0,
        0,
        List.of(new ErrorResult.Example(message, 40_000)));
  }

  @Test
  void anErrorShareAboveOnePercentIsRed() {
    RunVerdict verdict =
        verdict(run(43_000, Map.of("SERIALIZATION_FAILURE", 57_000L), QuietTime.NONE, UNPACED));
    assertThat(verdict.sentence())
        .isEqualTo(
            "transactions failed: 57 % of all (57,000 of 100,000), most by"
                + " SERIALIZATION_FAILURE. retries=3 tries such transactions again.");
    assertThat(verdict.kind().grade()).isEqualTo(VerdictGrade.FAIL);
  }

  @Test
  void aTypeWithoutASuccessIsRedHoweverRare() {
    RunVerdict verdict =
        verdict(
            run(50_000, Map.of(), QuietTime.NONE, UNPACED)
                .with(
                    MadeRun.type("NEW_ORDER", 50_000, Map.of()),
                    MadeRun.type("DELIVERY", 0, Map.of("OTHER_ERROR", 3L))));
    assertThat(verdict.sentence())
        .startsWith("transactions failed: not one DELIVERY succeeded, most by OTHER_ERROR");
  }

  @Test
  void aHoleWithoutAnErrorIsToldToo() {
    assertThat(verdict(run(50_000, Map.of(), new QuietTime(8, 12, 0), UNPACED)).sentence())
        .startsWith("stood still: no transaction succeeded for 8 s from second 12 on");
    assertThat(verdict(run(0, Map.of(), new QuietTime(100, 0, 100), UNPACED)).kind())
        .isEqualTo(VerdictKind.STALLED);
    // A terminal that keys and thinks sends two a minute: 8 s without one are nothing.
    assertThat(verdict(run(1_100, Map.of(), new QuietTime(1, 12, 0), UNPACED)).kind())
        .isEqualTo(VerdictKind.CLEAN);
  }

  /** A frozen host, a cut network, a lock: no connection is closed. */
  @Test
  void aServerThatAnswersNoMoreStandsStillToTheEnd() {
    LoadFigures brokenOff = new LoadFigures(0, 0, 0, 50_000, 0, 0, 10, 10);
    assertThat(
            verdict(run(50_000, Map.of(), new QuietTime(8, 92, 8), UNPACED).with(brokenOff))
                .sentence())
        .isEqualTo(
            "stood still: no transaction succeeded for 8 s from second 92 on to the end, and 10"
                + " that were under way did not end in the 15 s after it. Look at what the server"
                + " waited for at that time.");
    assertThat(verdict(run(50_000, Map.of(), QuietTime.NONE, UNPACED).with(brokenOff)).sentence())
        .isEqualTo(
            "stood still: 10 transactions that were under way at the end did not end in the 15 s"
                + " after it, and no other was. Look at what the server waited for at that time.");
  }

  @Test
  void aRateThatWasNotHeldIsSaidInFigures() {
    Pace pace = new Pace(24_000, 0, false, 10, 0, 22_972);
    assertThat(verdict(run(1_028, Map.of(), QuietTime.NONE, pace)).sentence())
        .isEqualTo(
            "rate not held: 24,000 transactions a minute were asked for, 617 were done (2.57 %),"
                + " and the backlog grew by 22,972. openLoopTxnsPerMin=555 asks for less.");
    Pace limit = new Pace(24_000, 24_000, false, 10, 0, 22_972);
    assertThat(verdict(run(1_028, Map.of(), QuietTime.NONE, limit)).sentence())
        .startsWith("rate not held: ")
        .endsWith("limitTxnsPerMin=0 shows what the system can do.");
    // What was due and is under way at the end is no backlog.
    Pace held = new Pace(24_000, 0, false, 10, 0, 3);
    assertThat(verdict(run(39_000, Map.of(), QuietTime.NONE, held)).kind())
        .isEqualTo(VerdictKind.CLEAN);
  }

  @Test
  void theDriversOwnProcessorsGarbageAndStallsBindIt() {
    assertThat(verdict(driven(load(1.7, 0.9, true, 0, 0))).sentence())
        .isEqualTo(
            "driver-bound: the driver used 1.7 of 2 processors. The server can do more than this"
                + " shows; use a larger machine for the driver, or several drivers"
                + " (docs/several-drivers.md).");
    Client collecting =
        new Client(
            0.5, 2, null, null, null, false, 0.08, 0, 0, 9, 0, 0.02, 0, 0, 0, 0, 0, null, null);
    assertThat(DriverJudge.limits(collecting)).hasSize(2);
    // A stall now and then is not a limit.
    Client stalledOnce =
        new Client(
            0.5, 2, null, null, null, false, 0, 0, 0, 1, 0, 0.000_01, 0, 0, 0, 0, 0, null, null);
    assertThat(DriverJudge.limits(stalledOnce)).isEmpty();
  }

  /** A process that is stopped, a machine that sleeps, a hypervisor that gives others its turn. */
  @Test
  void aDriverThatWasHeldUpIsNoStallOfTheServer() {
    assertThat(verdict(driven(heldUp(17))).sentence())
        .startsWith(
            "driver-bound: the driver was suspended or without a processor for 17 s, of them 17 s"
                + " from second 43 on");
    assertThat(verdict(driven(heldUp(0.4))).kind()).isEqualTo(VerdictKind.CLEAN);
  }

  /** A busy machine: 9.6 % pauses, 0.03 processors used. */
  @Test
  void aFullMachineIsSaturatedBeforeItsDriverIsBound() {
    HoldUps some = new HoldUps(17, 3, 43);
    Client starved =
        new Client(
            0.3, 2, 0.97, null, 0.5, false, 0.096, 9, 900, 9, 9, 0.02, 9, 50_000, 2, 0, 0, some,
            null);
    RunVerdict verdict = verdict(driven(starved));
    assertThat(verdict.kind()).isEqualTo(VerdictKind.MACHINE_SATURATED);
    assertThat(verdict.has(VerdictKind.DRIVER_BOUND)).isFalse();
    assertThat(DriverJudge.limits(Client.of(0.03, 2, 0.096))).isEmpty();
    assertThat(DriverJudge.limits(Client.of(1.7, 2, 0.096))).hasSize(2);
  }

  /** As under taskset. */
  @Test
  void aDriverWithTwoOfEightProcessorsSaysWhatOthersUsedOfAll() {
    Client bound =
        new Client(1, 2, 0.95, 8, 0.5, false, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, null, null);
    assertThat(verdict(driven(bound)).sentence())
        .startsWith(
            "shared machine saturated: the machine was full (95 % busy): the driver used 1 of 2"
                + " processors, ")
        .contains("others used 6.6.");
  }

  private static Client heldUp(double seconds) {
    HoldUps one = new HoldUps(seconds, seconds, 43);
    return new Client(0.5, 2, 0.2, null, 0.0, false, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, one, null);
  }

  @Test
  void latenessBindsOnlyADriverWhoseMachineIsItsOwn() {
    assertThat(verdict(driven(load(0.5, 0.3, false, 0, 4))).sentence())
        .contains("driver-bound: the driver sent transactions up to 4 ms late (p99)");
    assertThat(verdict(driven(load(0.5, 0.3, false, 0.4, 0))).sentence())
        .contains("waited for a processor for 40 % of the time");
    RunVerdict shared = verdict(driven(load(0.5, 0.7, true, 0.4, 4)));
    assertThat(shared.kind()).isEqualTo(VerdictKind.MACHINE_SATURATED);
    // The first transactions of a short run load classes.
    Client few =
        new Client(0.5, 2, null, null, null, false, 0, 0, 0, 0, 0, 0, 9, 10, 1, 0, 0, null, null);
    assertThat(DriverJudge.limits(few)).isEmpty();
  }

  /** 600 transactions a minute on a machine that is 18 % busy: nothing could have been more. */
  @Test
  void aDriverThatHeldTheAskedRateWasNoLimitOfIt() {
    Pace asked = new Pace(24_000, 0, false, 10, 0, 3);
    MadeRun held =
        run(39_000, Map.of(), QuietTime.NONE, asked)
            .with(Map.of("the driver", load(0.04, 0.18, true, 0.59, 1.94)));
    RunVerdict verdict = verdict(held);
    assertThat(verdict.sentence())
        .startsWith("driver late: the driver sent transactions up to 1.94 ms late (p99)")
        .contains("The asked rate was held, but latencies are longer than the server's;");
    assertThat(verdict.driverBound()).isFalse();
    assertThat(BottleneckJudge.of(held.result(), verdict).sentence())
        .startsWith("Apart from what the verdict says, the asked rate limited the run.");

    Pace missed = new Pace(24_000, 0, false, 10, 0, 22_972);
    RunVerdict bound =
        verdict(
            run(1_028, Map.of(), QuietTime.NONE, missed)
                .with(Map.of("the driver", load(1.7, 0.9, true, 0, 0))));
    assertThat(bound.has(VerdictKind.DRIVER_LATE)).isFalse();
    assertThat(bound.driverBound()).isTrue();
    // A backlog that is too small to be the server's fault is none of a rate that was held.
    Pace few = new Pace(600, 0, false, 100, 0, 90);
    RunVerdict short85 =
        verdict(
            run(850, Map.of(), QuietTime.NONE, few)
                .with(Map.of("the driver", load(1.7, 0.9, true, 0, 0))));
    assertThat(short85.has(VerdictKind.RATE_NOT_HELD)).isFalse();
    assertThat(short85.driverBound()).isTrue();
  }

  /** Whatever held the driver back there, it was no want of processors. */
  @Test
  void aMachineThatIsMostlyIdleIsNotSaturated() {
    RunVerdict verdict = verdict(driven(load(0.3, 0.28, true, 0.4, 4)));
    assertThat(verdict.has(VerdictKind.MACHINE_SATURATED)).isFalse();
    assertThat(verdict.kind()).isEqualTo(VerdictKind.DRIVER_BOUND);
    assertThat(verdict(driven(load(0.3, 0.28, true, 0, 0))).kind()).isEqualTo(VerdictKind.CLEAN);
  }

  /** Eight terminals behind a slow link: what they wait for a processor is little of 21 ms. */
  @Test
  void waitingForAProcessorBindsOnlyIfItLengthensTransactions() {
    Latency slow = new Latency(37_700, 0, null, 20, 21.2, 21.2, 22, 22, 24, 30, 40, 0);
    assertThat(verdict(driven(load(0.1, 0.2, false, 0.43, 0)).with(slow)).kind())
        .isEqualTo(VerdictKind.CLEAN);
    assertThat(verdict(driven(load(0.5, 0.2, false, 0.6, 0)).with(slow)).kind())
        .isEqualTo(VerdictKind.DRIVER_BOUND);
  }

  @Test
  void aSaturatedMachineIsToldWithItsShares() {
    RunVerdict verdict = verdict(driven(load(0.6, 1.0, true, 0, 0)));
    assertThat(verdict.sentence())
        .isEqualTo(
            "shared machine saturated: the machine was full (100 % busy): the driver used 0.6 of 2 processors,"
                + " the server and others used 1.4. Run the driver on another machine to see what the server"
                + " can do.");
  }

  @Test
  void ofSeveralDriversThoseThatLimitedAreNamed() {
    Map<String, Client> drivers = new LinkedHashMap<>();
    drivers.put("driver 0", EASY);
    drivers.put("driver 2", load(1.9, 1, false, 0, 0));
    RunVerdict verdict = verdict(driven(EASY).with(drivers));
    assertThat(verdict.main().cause()).isEqualTo("driver 2 used 1.9 of 2 processors");
  }

  @Test
  void theUnchangedSampleIsLimitedAndTooShort() {
    RunVerdict verdict = verdict(lasting(2, Ending.COMPLETED, 10, new Pace(0, 300, true, 1, 0, 0)));
    assertThat(verdict.findings().stream().map(Finding::sentence))
        .containsExactly(
            "limited by limitTxnsPerMin: 300 of the allowed 300 transactions a minute were made."
                + " limitTxnsPerMin=0 shows what the system can do.",
            "too short or too few to say: 10 transactions in 2 s. runTxnsPerTerminal=0 and"
                + " runMins=5 measure for five minutes.");
  }

  @Test
  void aRunWithStagesIsAdvisedLongerStages() {
    RunVerdict verdict =
        verdict(
            lasting(20, Ending.COMPLETED, 10_000, UNPACED)
                .with(
                    MadeRun.load(30_000, 10_000, 0),
                    MadeRun.stage("10s:30000", MadeRun.load(30_000, 5_000, 0)),
                    MadeRun.stage("10s:30000", MadeRun.load(30_000, 5_000, 0))));
    assertThat(verdict.sentence())
        .isEqualTo(
            "too short or too few to say: 10,000 transactions in 20 s. Stages that last five minutes"
                + " in all measure enough.");
  }

  /** Half of ten terminals waited for one lock, the others went on and filled the processors. */
  @Test
  void transactionsThatStandStillAmongOthersAreTold() {
    QuietTime stuck = new QuietTime(0, 0, 0, 5, 2, 75, 0.21);
    Latency usual = new Latency(50_000, 0, null, 1, 6, 5, 8, 9, 12, 30, 15_000, 0);
    RunVerdict verdict = verdict(run(50_000, Map.of(), stuck, UNPACED).with(usual));
    assertThat(verdict.sentence())
        .isEqualTo(
            "stood still: 5 transactions of 50,000 took 2 s or longer, 75 s and 21 % of all time in"
                + " transactions. Look at what the server waited for at that time.");
    QuietTime some = new QuietTime(0, 0, 0, 5, 2, 75, 0.05);
    assertThat(verdict(run(50_000, Map.of(), some, UNPACED).with(usual)).kind())
        .isEqualTo(VerdictKind.CLEAN);
  }

  @Test
  void transactionsThatNeverEndAmongOthersAreTold() {
    LoadFigures load = new LoadFigures(0, 0, 50_000, 50_000, 0, 0, 10, 5);
    assertThat(verdict(run(50_000, Map.of(), QuietTime.NONE, UNPACED).with(load)).sentence())
        .startsWith("stood still: 5 of the 10 transactions that were under way at the end did not")
        .contains("end in the 15 s after it");
  }

  @Test
  void commitsOfOthersAreTold() {
    Map<String, Double> server = Map.of("xact_commit", 72_700.0, "orders_increase", 50_010.0);
    MadeRun shared = driven(EASY).with(ServerWaits.none(""), server);
    assertThat(verdict(shared).sentence())
        .isEqualTo(
            "server shared with others: 30.9 % of the server's 72,700 commits were not this run's."
                + " Keep others off the server while you measure.");
    Map<String, Double> alone = Map.of("xact_commit", 50_600.0, "orders_increase", 50_000.0);
    assertThat(verdict(driven(EASY).with(ServerWaits.none(""), alone)).kind())
        .isEqualTo(VerdictKind.CLEAN);
    // Of a workload of several commits for each transaction nobody can tell.
    assertThat(verdict(driven(EASY).with(ServerWaits.none(""), Map.of("xact_commit", 1e6))).kind())
        .isEqualTo(VerdictKind.CLEAN);
  }

  @Test
  void faultsOfTheRunItselfComeFirst() {
    assertThat(verdict(lasting(20, Ending.ABORTED, 10, UNPACED)).kind())
        .isEqualTo(VerdictKind.ABORTED);
    assertThat(verdict(lasting(120, Ending.INCOMPLETE, 10_000, UNPACED)).kind())
        .isEqualTo(VerdictKind.INCOMPLETE);
    assertThat(verdict(lasting(20, Ending.INTERRUPTED, 10_000, UNPACED)).sentence())
        .startsWith("too short or too few to say: a signal ended the run after 20 s");
  }

  static Stream<MadeRun> runsThatGetAdvice() {
    return Stream.of(
        run(43_000, Map.of("DEADLOCK", 57_000L), QuietTime.NONE, UNPACED),
        run(1_028, Map.of(), QuietTime.NONE, new Pace(24_000, 0, false, 10, 0, 22_972)),
        run(3, Map.of(), QuietTime.NONE, new Pace(24_000, 0, false, 1, 0, 39_997)),
        lasting(2, Ending.COMPLETED, 10, new Pace(0, 300, true, 1, 0, 0)),
        lasting(30, Ending.COMPLETED, 10, new Pace(0, 300, false, 1, 0, 0)),
        lasting(100, Ending.COMPLETED, 400, UNPACED),
        lasting(100, Ending.COMPLETED, 1, UNPACED),
        driven(
            new Client(
                0.5, 2, null, null, null, false, 0, 0, 0, 900, 0, 0.05, 0, 0, 0, 0, 0, null,
                null)));
  }

  @ParameterizedTest
  @MethodSource("runsThatGetAdvice")
  void theNextRunAcceptsWhatIsAdvised(MadeRun run) {
    Map<String, String> advised = new LinkedHashMap<>();
    for (Finding finding : verdict(run).findings()) {
      Matcher key = Pattern.compile("\\b(\\w+)=(\\w+)").matcher(finding.sentence());
      while (key.find()) {
        advised.put(key.group(1), key.group(2));
      }
    }
    assertThat(advised).isNotEmpty();
    advised.putIfAbsent("runMins", "1");
    if (requireNonNull(run.result().load()).askedPerMinute() > 0) {
      advised.remove("limitTxnsPerMin"); // of another run than this
    }
    BenchmarkProperties properties = TestProperties.of("warehouses=1\nterminals=1\n", advised);
    assertThat(properties.run().terminals()).isEqualTo(1);
    properties.result();
  }
}
