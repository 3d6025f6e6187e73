package io.shardmark.driver.judge;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.driver.results.Bottleneck;
import io.shardmark.driver.results.Client;
import io.shardmark.driver.results.Ending;
import io.shardmark.driver.results.Finding;
import io.shardmark.driver.results.MachineUse;
import io.shardmark.driver.results.MadeRun;
import io.shardmark.driver.results.RunVerdict;
import io.shardmark.driver.results.ServerWaits;
import io.shardmark.driver.results.ServerWaits.Activity;
import io.shardmark.driver.results.ServerWaits.LockedTable;
import io.shardmark.driver.results.VerdictKind;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class BottleneckJudgeTest {
  private static final Activity IDLE = new Activity(ServerWaits.IDLE, "", 20);

  private static Client load(double busy, boolean serverHere) {
    return new Client(
        0.5, 2, busy, null, null, serverHere, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, null, null);
  }

  private static ServerWaits waits(double covered, Activity... activities) {
    return new ServerWaits(
        300, covered, 1, "", List.of(activities), List.of(new LockedTable("bmsql_warehouse", 4)));
  }

  private static MadeRun run(boolean asked, Client load, ServerWaits waits) {
    return new MadeRun()
        .ended(Ending.COMPLETED, 60)
        .with(MadeRun.type("NEW_ORDER", 1000, Map.of()))
        .with(MadeRun.load(asked ? 1000 : 0, 1000, 0))
        .with(Map.of("the driver", load))
        .with(waits, Map.of("wal_bytes", 61_440_000.0));
  }

  private static Bottleneck bottleneck(VerdictKind verdict, MadeRun run) {
    return BottleneckJudge.of(
        run.result(), new RunVerdict(List.of(new Finding(verdict, "of a cause", ""))));
  }

  private static String sentence(Client load, ServerWaits waits) {
    return bottleneck(VerdictKind.CLEAN, run(false, load, waits)).sentence();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          running             |               | Sessions mostly ran, 8 sessions at a time;
          Lock                | transactionid | Locks limited the run, most of them on bmsql_warehouse.
          IO                  | WALSync       | Writing the WAL limited the run.
          IO                  | WalSync       | Writing the WAL limited the run.
          LWLock              | WALWrite      | Writing the WAL limited the run.
          IPC                 | SyncRep       | Writing the WAL limited the run.
          IO                  | DataFileRead  | Data files limited the run.
          LWLock              | BufferContent | The server's latches limited the run
          idle in transaction |               | The way between driver and server limited the run
          """)
  void namesWhatSessionsWereMostIn(String type, String event, String expected) {
    Activity most = new Activity(type, event == null ? "" : event, 8);

    assertThat(sentence(load(0.4, false), waits(60, IDLE, most, new Activity("Timeout", "", 2))))
        .startsWith(expected)
        .contains("In transactions, sessions spent 80 % of the time ");
  }

  @Test
  void driverThatIsBoundGoesFirst() {
    MadeRun run = run(false, load(0.99, true), waits(60, new Activity("Lock", "tuple", 9)));

    assertThat(bottleneck(VerdictKind.DRIVER_BOUND, run).sentence())
        .isEqualTo("The driver limited the run: of a cause.");
  }

  @Test
  void askedRateThatWasHeldIsTheLimitAndOneThatWasNotIsNone() {
    ServerWaits waits = waits(60, new Activity("Lock", "tuple", 9));

    assertThat(bottleneck(VerdictKind.CLEAN, run(true, load(0.1, true), waits)).sentence())
        .startsWith("The asked rate limited the run");
    assertThat(bottleneck(VerdictKind.RATE_NOT_HELD, run(true, load(0.1, true), waits)).sentence())
        .startsWith("Locks limited the run");
  }

  /** The verdict says that something else did, for a while. */
  @ParameterizedTest
  @EnumSource(
      names = {"SERVER_LOST", "STALLED", "ERRORS", "ABORTED", "MACHINE_SATURATED", "DRIVER_LATE"})
  void whatTheVerdictSaysIsNotDenied(VerdictKind verdict) {
    ServerWaits waits = waits(60, new Activity("Lock", "tuple", 9));

    assertThat(bottleneck(verdict, run(true, load(0.1, true), waits)).sentence())
        .doesNotContain("nothing else")
        .startsWith("Apart from what the verdict says, the asked rate limited the run.");
  }

  @Test
  void onlyTheServersBusyMachineGoesBeforeWaits() {
    ServerWaits waits = waits(60, new Activity("Lock", "tuple", 9));

    assertThat(sentence(load(0.95, true), waits))
        .startsWith(
            "Processors limited the run: the server's machine was 95 % busy (the driver used 0.5 processors).");
    assertThat(sentence(load(0.95, false), waits)).startsWith("Locks limited the run");
  }

  @Test
  void machineThatTheVerdictCallsSaturatedIsTheLimitBelowItsMarkToo() {
    ServerWaits waits = waits(60, new Activity("idle in transaction", "", 9));

    assertThat(
            bottleneck(VerdictKind.MACHINE_SATURATED, run(false, load(0.88, true), waits))
                .sentence())
        .startsWith("Processors limited the run: the server's machine was 88 % busy");
    assertThat(
            bottleneck(VerdictKind.MACHINE_SATURATED, run(false, load(0.88, false), waits))
                .sentence())
        .startsWith("The way between driver and server limited the run");
  }

  @Test
  void machineOfTheCollectorIsTheServersIfItSaysSo() {
    MadeRun run = run(false, load(0.1, false), waits(60, new Activity("running", "", 9)));
    MachineUse machine =
        new MachineUse(
            true,
            0.93,
            0.01,
            new TreeMap<>(Map.of("sda", new MachineUse.Disk(0.5, 1024, 2048, 300))));
    Bottleneck bottleneck = bottleneck(VerdictKind.CLEAN, run.with(machine));

    assertThat(bottleneck.sentence()).startsWith("Processors limited the run");
    assertThat(bottleneck.uses())
        .contains(
            new Bottleneck.ResourceUse(
                "Server's machine: processors", 0.93, "idle for a disk for 1 %"),
            new Bottleneck.ResourceUse(
                "Server's disk sda", 0.5, "1 MB/s read, 2 MB/s and 300 operations/s written"),
            new Bottleneck.ResourceUse("WAL written", null, "0.977 MB/s, 60 KB per transaction"));
  }

  @Test
  void withoutASuccessNoTransactionWroteAnything() {
    MadeRun run = run(false, load(0.1, false), waits(60, IDLE));
    run.with(MadeRun.type("NEW_ORDER", 0, Map.of("DEADLOCK", 9L)));
    assertThat(bottleneck(VerdictKind.ERRORS, run).uses())
        .contains(
            new Bottleneck.ResourceUse("WAL written", null, "0.977 MB/s, – KB per transaction"));
  }

  @Test
  void saysWhatIsNotKnown() {
    assertThat(sentence(load(0.2, false), ServerWaits.none("nobody looked")))
        .isEqualTo("What limited the run is not known: nobody looked.");
    assertThat(sentence(load(0.2, false), waits(60, IDLE)))
        .isEqualTo("What limited the run is not known: no session was seen in a transaction.");
    assertThat(sentence(load(0.2, false), waits(30, new Activity("Lock", "tuple", 9))))
        .endsWith(" Its sessions were seen for 30 s of 60 s only.");
  }

  @Test
  void nothingStandsOutWhereAllIsSmall() {
    assertThat(
            sentence(
                load(0.2, false),
                waits(
                    60,
                    new Activity("Lock", "tuple", 1),
                    new Activity("running", "", 1),
                    new Activity("IO", "WALSync", 1),
                    new Activity("IO", "DataFileRead", 1))))
        .startsWith("No single thing limited the run.");
  }
}
