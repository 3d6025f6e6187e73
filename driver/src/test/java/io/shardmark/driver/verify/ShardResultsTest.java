package io.shardmark.driver.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One condition, of which two shards say something else. */
final class ShardResultsTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final ConditionResult broken =
      new ConditionResult("1", "a rule", Verdict.FAIL, "", 2, List.of("id=7"), SECOND);
  private final ConditionResult unknown =
      new ConditionResult("1", "a rule", Verdict.ERROR, "no such table", 0, List.of(), SECOND);

  @Test
  void whatOneShardBreaksIsBrokenThoughAnotherCannotBeAsked() {
    ConditionResult expected =
        new ConditionResult(
            "1", "a rule", Verdict.FAIL, "", 2, List.of("id=7"), SECOND.plus(SECOND));
    assertThat(ShardedVerifier.together(broken, unknown)).isEqualTo(expected);
    assertThat(ShardedVerifier.together(unknown, broken)).isEqualTo(expected);
  }
}
