package io.shardmark.proxy.execution;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.protocol.SqlState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

final class ExecutionStepTest {
  private final List<String> events = new ArrayList<>();

  /** Done the second time. */
  private final class Twice implements ExecutionStep {
    private final String name;
    private int tries;

    Twice(String name) {
      this.name = name;
    }

    @Override
    public boolean advance() {
      events.add(name);
      return ++tries == 2;
    }

    @Override
    public void abandon() {
      events.add("abandoned " + name);
    }
  }

  @Test
  void theNextBeginsInTheTurnInWhichTheFirstIsDone() {
    ExecutionStep step = new Twice("a").then(() -> new Twice("b")).thenDo(() -> events.add("c"));
    assertThat(step.advance()).isFalse();
    assertThat(events).containsExactly("a");
    assertThat(step.advance()).isFalse();
    assertThat(events).containsExactly("a", "a", "b");
    assertThat(step.advance()).isTrue();
    assertThat(events).containsExactly("a", "a", "b", "b", "c");
  }

  @Test
  void whatIsUnderWayIsAbandonedAndNothingElse() {
    ExecutionStep step = new Twice("a").then(() -> new Twice("b")).failing(e -> e);
    step.advance();
    step.advance();
    step.abandon();
    assertThat(events).containsExactly("a", "a", "b", "abandoned b");
  }

  @Test
  void whatIsNeededIsAskedForUntilItIsThere() {
    Queue<String> answers = new ArrayDeque<>(List.of("there"));
    boolean[] asked = new boolean[1];
    ExecutionStep step =
        ExecutionStep.with(
            () -> {
              boolean before = asked[0];
              asked[0] = true;
              return before ? answers.remove() : null;
            },
            found -> {
              events.add(found);
              return ExecutionStep.DONE;
            });
    assertThat(step.advance()).isFalse();
    assertThat(step.advance()).isTrue();
    assertThat(events).containsExactly("there");
  }

  @Test
  void aFailureIsTheOneThatIsMadeOfIt() {
    StatementException first = new StatementException(SqlState.SYNTAX_ERROR, "first");
    StatementException second = new StatementException(SqlState.SYNTAX_ERROR, "second");
    ExecutionStep fails =
        ExecutionStep.DONE.thenDo(
            () -> {
              throw first;
            });
    assertThatThrownBy(fails.failing(e -> e == first ? second : e)::advance).isSameAs(second);
    assertThat(new Twice("a").failing(e -> second).advance()).isFalse();
  }
}
