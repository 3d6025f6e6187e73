package io.shardmark.proxy.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A lock of two numbers is never one of one number (PG18 §9.28.10 functions-advisory-locks), so
 * only users' locks with the first numbers that the manual names could be the proxies'.
 */
final class ProxyLockTest {
  /** As in the manual. */
  private static final int FIRST = 1_399_352_576;

  private static final int LAST = 1_399_352_831;
  private static final Pattern CALL =
      Pattern.compile("advisory\\w*lock\\w*\\((-?\\d+), (-?\\d+)\\)");

  @Test
  void allFirstNumbersAreThoseOfTheManual() {
    assertThat(Stream.of(ProxyLock.values()).map(ProxyLock::classId))
        .doesNotHaveDuplicates()
        .allSatisfy(number -> assertThat(number).isBetween(FIRST, LAST));
  }

  @Test
  void allLocksHaveTwoNumbers() {
    for (String sql :
        new String[] {CommitSql.LOCK_CREATION, CommitSql.showProxy(-1), CommitSql.MARK_LAST}) {
      assertThat(CALL.matcher(sql).results().count()).as(sql).isPositive();
      assertThat(sql.split("advisory", -1)).hasSize((int) CALL.matcher(sql).results().count() + 1);
    }
  }

  @Test
  void anIncarnationIsShownInHalves() {
    assertThat(CommitSql.showProxy(0x8000_0001_ffff_fffeL))
        .contains("1399352577, -2147483647)", "1399352578, -2)");
  }
}
