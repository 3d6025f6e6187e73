package io.shardmark.sql.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.sql.history.Anomaly.Phenomenon;
import io.shardmark.sql.history.HistoryTransaction.Append;
import io.shardmark.sql.history.HistoryTransaction.Ending;
import io.shardmark.sql.history.HistoryTransaction.Read;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class HistoryCheckTest {
  private final List<HistoryTransaction> history = new ArrayList<>();

  private HistoryCheckTest did(Ending ending, HistoryTransaction.HistoryStatement... statements) {
    history.add(new HistoryTransaction(history.size() + 1, ending, List.of(statements)));
    return this;
  }

  private HistoryCheckTest committed(HistoryTransaction.HistoryStatement... statements) {
    return did(Ending.COMMITTED, statements);
  }

  private static Append append(int list, int value) {
    return new Append(list, value);
  }

  private static Read read(int list, Integer... values) {
    return new Read(Map.of(list, List.of(values)));
  }

  private static Read both(List<Integer> first, List<Integer> second) {
    return new Read(Map.of(1, first, 2, second));
  }

  private List<Phenomenon> phenomena() {
    return HistoryCheck.anomalies(history).stream().map(Anomaly::phenomenon).toList();
  }

  @Test
  void aSerialHistoryHasNone() {
    committed(append(1, 10), append(2, 20));
    committed(both(List.of(10), List.of(20)), append(1, 11));
    committed(both(List.of(10, 11), List.of(20)));
    assertThat(phenomena()).isEmpty();
  }

  @Test
  void valuesOfAnAbortedTransactionAreG1a() {
    did(Ending.ABORTED, append(1, 10)).committed(read(1, 10));
    assertThat(phenomena()).containsExactly(Phenomenon.ABORTED_READ);
  }

  @Test
  void whatWasRolledBackHasNoPlaceInTheOrder() {
    committed(append(1, 10)).did(Ending.ABORTED, append(1, 11)).committed(append(1, 12));
    committed(read(1, 10, 11)).committed(read(1, 10, 12));
    assertThat(phenomena()).containsExactly(Phenomenon.ABORTED_READ);
  }

  @Test
  void aCommittedAppendThatTheListLacksInTheEndIsLost() {
    committed(append(1, 10)).committed(append(1, 11), append(2, 20)).committed(append(3, 30));
    did(Ending.ABORTED, append(1, 12)).did(Ending.UNKNOWN, append(2, 21));
    assertThat(HistoryCheck.lostAppends(history, Map.of(1, List.of(10), 2, List.of(20))))
        .extracting(Object::toString)
        .containsExactly(
            "T2 appended 11 to list 1 and committed", "T3 appended 30 to list 3 and committed");
  }

  @Test
  void whoReadsFromATransactionOfUnknownEndTakesItAsCommitted() {
    did(Ending.UNKNOWN, append(1, 10)).committed(read(1, 10));
    assertThat(phenomena()).isEmpty();
  }

  /** It may have been rolled back, and may then have read anything. */
  @Test
  void whatATransactionOfUnknownEndHasReadIsNotJudged() {
    committed(append(1, 10), append(1, 11), append(2, 20)).committed(read(1, 10, 11));
    did(Ending.UNKNOWN, both(List.of(10), List.of()));
    did(Ending.UNKNOWN, read(1, 10), append(1, 12)).did(Ending.ABORTED, read(1, 10, 11, 12));
    assertThat(phenomena()).isEmpty();
  }

  @Test
  void anUnknownEndIsKnownByWhoReadsFromWhoHasReadFromIt() {
    committed(append(1, 10), append(1, 11)).committed(read(1, 10, 11));
    did(Ending.UNKNOWN, read(1, 10), append(2, 20)).did(Ending.UNKNOWN, read(2, 20), append(2, 21));
    assertThat(phenomena()).isEmpty();
    committed(read(2, 20, 21));
    assertThat(phenomena()).contains(Phenomenon.INTERMEDIATE_READ);
  }

  @Test
  void theMiddleOfATransactionIsG1b() {
    committed(append(1, 10), append(1, 11)).committed(read(1, 10)).committed(read(1, 10, 11));
    assertThat(phenomena()).contains(Phenomenon.INTERMEDIATE_READ);
  }

  @Test
  void listsThatAreNoBeginningOfEachOtherHaveNoOrder() {
    committed(append(1, 10)).committed(append(1, 11));
    committed(read(1, 10, 11)).committed(read(1, 11));
    assertThat(phenomena()).contains(Phenomenon.NO_ORDER);
  }

  @Test
  void appendsBeforeEachOtherAreG0() {
    committed(append(1, 10), append(2, 20)).committed(append(1, 11), append(2, 21));
    committed(both(List.of(10, 11), List.of(21, 20)));
    assertThat(HistoryCheck.anomalies(history))
        .contains(
            new Anomaly(
                Phenomenon.DIRTY_WRITE,
                List.of(1, 2),
                "T2 appends to list 1 after T1; T1 appends to list 2 after T2"));
  }

  @Test
  void readingFromEachOtherIsG1c() {
    committed(append(1, 10), read(2, 20)).committed(append(2, 20), read(1, 10));
    assertThat(phenomena()).containsExactly(Phenomenon.CIRCULAR_INFORMATION);
  }

  @Test
  void aTransactionReadsWhatItHasAppendedSoFar() {
    committed(read(1, 10), append(1, 10));
    committed(append(1, 11), read(1, 10));
    committed(read(1, 10, 11), append(1, 12), read(1, 10, 11, 12));
    assertThat(phenomena()).containsExactly(Phenomenon.INTERNAL, Phenomenon.INTERNAL);
  }

  @Test
  void halfATransactionInOneStatementIsTorn() {
    committed(append(1, 10), append(2, 20));
    committed(both(List.of(10), List.of()));
    committed(read(2, 20));
    assertThat(phenomena())
        .containsExactly(
            Phenomenon.TORN_STATEMENT, Phenomenon.TORN_TRANSACTION, Phenomenon.READ_SKEW);
  }

  @Test
  void halfATransactionInTwoStatementsIsTornForTheTransaction() {
    committed(append(1, 10), append(2, 20));
    committed(read(2), read(1, 10));
    committed(read(2, 20));
    assertThat(phenomena()).containsExactly(Phenomenon.TORN_TRANSACTION, Phenomenon.READ_SKEW);
  }

  /** No transaction is torn, and yet there was no moment that this reader could have seen. */
  @Test
  void aLaterTransactionWithoutAnEarlierIsReadSkew() {
    committed(append(1, 10));
    committed(read(1, 10), append(2, 20));
    committed(both(List.of(), List.of(20)));
    assertThat(phenomena()).containsExactly(Phenomenon.READ_SKEW);
  }

  @Test
  void aReadThatIsNotRepeatableIsReadSkew() {
    committed(read(1), read(1, 10)).committed(append(1, 10));
    assertThat(HistoryCheck.anomalies(history))
        .containsExactly(
            new Anomaly(
                Phenomenon.READ_SKEW,
                List.of(1, 2),
                "T1 reads list 1 without the append of T2; T1 reads the append of T2 to list 1"));
  }

  @Test
  void twoAppendsToWhatBothHaveReadAreALostUpdate() {
    committed(read(1), append(1, 10)).committed(read(1), append(1, 11));
    committed(read(1, 10, 11));
    assertThat(phenomena()).containsExactly(Phenomenon.LOST_UPDATE, Phenomenon.READ_SKEW);
  }

  @Test
  void anAppendAfterWhatWasReadOrThatWasRolledBackIsNoLostUpdate() {
    committed(read(1), append(1, 10)).committed(read(1, 10), append(1, 11));
    did(Ending.ABORTED, read(1, 10), append(1, 12));
    committed(append(1, 13), read(1, 10, 11, 13), append(1, 14));
    committed(read(1, 10, 11, 13, 14));
    assertThat(phenomena()).isEmpty();
  }

  @Test
  void twoReadersWhoDisagreeAboutTheOrderAreALongFork() {
    committed(append(1, 10)).committed(append(2, 20));
    committed(both(List.of(10), List.of())).committed(both(List.of(), List.of(20)));
    assertThat(HistoryCheck.anomalies(history))
        .containsExactly(
            new Anomaly(
                Phenomenon.LONG_FORK,
                List.of(3, 2, 4, 1),
                "T3 reads list 2 without the append of T2; T4 reads the append of T2 to list 2;"
                    + " T4 reads list 1 without the append of T1;"
                    + " T3 reads the append of T1 to list 1"));
  }

  @Test
  void writeSkewIsG2() {
    committed(both(List.of(), List.of()), append(1, 10));
    committed(both(List.of(), List.of()), append(2, 20));
    committed(both(List.of(10), List.of(20)));
    assertThat(phenomena()).containsExactly(Phenomenon.ANTI_DEPENDENCY_CYCLE);
  }

  /** Nobody reads the lists at the end, and yet each append comes after what was read. */
  @Test
  void anAppendThatNobodyReadsComesAfterAllThatWasRead() {
    committed(both(List.of(), List.of()), append(1, 10));
    committed(both(List.of(), List.of()), append(2, 20));
    assertThat(HistoryCheck.anomalies(history))
        .containsExactly(
            new Anomaly(
                Phenomenon.ANTI_DEPENDENCY_CYCLE,
                List.of(1, 2),
                "T1 reads list 2 without the append of T2; T2 reads list 1 without the append of T1"));
  }

  @Test
  void anAppendThatIsLostIsNoAnomaly() {
    committed(both(List.of(), List.of()), append(1, 10));
    committed(both(List.of(), List.of()), append(2, 20));
    committed(both(List.of(10), List.of()));
    Map<Integer, List<Integer>> last = Map.of(1, List.of(10));
    assertThat(HistoryCheck.anomalies(history, HistoryCheck.lostAppends(history, last))).isEmpty();
  }

  @Test
  void aValueIsAppendedOnce() {
    committed(append(1, 10)).committed(append(2, 10));
    assertThatThrownBy(this::phenomena)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("value 10 is appended twice");
  }
}
