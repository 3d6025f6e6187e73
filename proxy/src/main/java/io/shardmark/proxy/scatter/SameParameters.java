package io.shardmark.proxy.scatter;

import io.shardmark.proxy.execution.Arguments;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.sql.CallFacts;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Parameters of a write to a reference table: each shard must read the same values from them. */
final class SameParameters {
  /** No type is given, date, time, timestamp, and the two with a time zone. */
  private static final Set<Integer> READ_AS_TIME = Set.of(0, 705, 1082, 1083, 1114, 1184, 1266);

  private static final int LONGEST_TIME = 60;

  private SameParameters() {}

  /**
   * Refuses 'now' and the like as the text of a time.
   *
   * @throws StatementException if there is one
   */
  static void require(Arguments.BoundArguments bound) {
    BindReader bind = bound.bind();
    int[] types = bound.text().typeOids();
    for (int i = 0; i < bind.parameterCount(); i++) {
      int length = bind.valueLength(i);
      int type = i < types.length ? types[i] : 0;
      if (length <= 0
          || length > LONGEST_TIME
          || bind.isBinary(i)
          || !READ_AS_TIME.contains(type)) {
        continue;
      }
      String text = bind.buffer().toString(bind.valueStart(i), length, StandardCharsets.UTF_8);
      if (CallFacts.isMomentary(text)) {
        throw new StatementException(
            SqlState.FEATURE_NOT_SUPPORTED,
            "the table is on every shard, and '" + text + "' may differ between them",
            "Give the time itself.");
      }
    }
  }
}
