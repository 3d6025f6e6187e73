package io.shardmark.driver.isolation;

import io.shardmark.driver.benchmark.TransactionType;
import java.util.List;

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

  TransactionType transactionType() {
    return switch (this) {
      case READ -> TYPES.get(0);
      case APPEND -> TYPES.get(1);
      case READ_APPEND -> TYPES.get(2);
    };
  }
}
