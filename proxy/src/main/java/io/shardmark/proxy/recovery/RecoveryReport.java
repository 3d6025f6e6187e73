package io.shardmark.proxy.recovery;

import java.util.List;

/**
 * What one run did.
 *
 * @param inDoubt what is left
 * @param unreachable names of shards that could not be asked
 */
public record RecoveryReport(List<InDoubt> inDoubt, List<String> unreachable) {

  static final RecoveryReport NOTHING = new RecoveryReport(List.of(), List.of());

  public RecoveryReport {
    inDoubt = List.copyOf(inDoubt);
    unreachable = List.copyOf(unreachable);
  }
}
