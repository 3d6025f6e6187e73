package io.shardmark.driver.isolation;

import io.shardmark.driver.benchmark.TransactionType;
import java.util.List;
import java.util.SplittableRandom;

/** What transactions do to two to four lists; each is drawn as often as the others. */
enum ListType {
  READ,
  APPEND,
  /** Reads each list, and appends to about half of them. */
  READ_APPEND;

  private static final List<TransactionType> TYPES =
      List.of(
          TransactionType.unpaced(0, READ.name(), 1),
          TransactionType.unpaced(1, APPEND.name(), 1),
          TransactionType.unpaced(2, READ_APPEND.name(), 1));

  static List<TransactionType> types() {
    return TYPES;
  }

  static ListType drawn(SplittableRandom random) {
    List<ListType> all = List.of(values());
    return all.get(random.nextInt(all.size()));
  }

  TransactionType transactionType() {
    return switch (this) {
      case READ -> TYPES.get(0);
      case APPEND -> TYPES.get(1);
      case READ_APPEND -> TYPES.get(2);
    };
  }
}
