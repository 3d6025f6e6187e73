package io.shardmark.driver.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class DriverVerdictTest {
  private static final long MILLI = 1_000_000;

  private static DriverVerdict verdict(
      double cores, double gc, long stalls, long lateness, long connectionWait) {
    return DriverVerdict.of(
        new ClientLoad(
            cores, 4, OptionalDouble.empty(), gc, stalls, lateness, connectionWait, 50 * MILLI));
  }

  @Test
  void anEasyRunIsNotDriverBound() {
    DriverVerdict verdict = verdict(3.1, 0.05, 0, 5 * MILLI, 5 * MILLI);
    assertThat(verdict.driverBound()).isFalse();
    assertThat(verdict.sentence()).isEqualTo("The driver did not limit this run.");
  }

  @Test
  void eachLimitAloneMakesItDriverBound() {
    assertThat(verdict(3.2, 0, 0, 0, 0).reasons()).containsExactly("used 3.20 of 4 processors");
    assertThat(verdict(0, 0.051, 0, 0, 0).reasons())
        .containsExactly("garbage collection took 5.1 % of the time");
    assertThat(verdict(0, 0, 1, 0, 0).reasons())
        .containsExactly("workers waited 1 times for the collector");
    assertThat(verdict(0, 0, 0, 6 * MILLI, 0).reasons())
        .containsExactly("transactions were sent up to 6.0 ms late (p99) though a worker was free");
    assertThat(verdict(0, 0, 0, 0, 6 * MILLI).reasons())
        .containsExactly(
            "transactions waited up to 6.0 ms (p99) for one of the configured connections");
  }

  @Test
  void waitsBelowAMillisecondAreForgivenHoweverFastTheServerIs() {
    ClientLoad fast = new ClientLoad(0, 1, OptionalDouble.empty(), 0, 0, MILLI, MILLI, MILLI / 10);
    assertThat(DriverVerdict.of(fast).driverBound()).isFalse();
  }

  @Test
  void theSentenceNamesAllReasons() {
    assertThat(verdict(4, 0.2, 0, 0, 0).sentence())
        .isEqualTo(
            "This run was driver-bound, its figures are a lower bound of what the system can do:"
                + " used 4.00 of 4 processors; garbage collection took 20.0 % of the time.");
  }
}
