package io.shardmark.proxy.recovery;

import java.util.List;

/**
 * What one run did.
 *
 * @param committed prepared transactions committed
 * @param rolledBack prepared transactions rolled back
 * @param inDoubt what is left
 * @param unreachable names of shards that could not be asked
 */
public record RecoveryReport(
    int committed, int rolledBack, List<InDoubt> inDoubt, List<String> unreachable) {

  static final RecoveryReport NOTHING = new RecoveryReport(0, 0, List.of(), List.of());

  public RecoveryReport {
    inDoubt = List.copyOf(inDoubt);
    unreachable = List.copyOf(unreachable);
  }
}
