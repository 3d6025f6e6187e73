package io.shardmark.proxy.session;

import java.util.List;

/**
 * What decides which tables the names in a text stand for.
 *
 * @param tables version of the tables; negative: of one transaction or one session alone
 * @param searchPath schemas of unqualified names
 */
record NameScope(long tables, List<String> searchPath) {
  /** Whether statements prepared with these may serve other clients too. */
  boolean isShared() {
    return tables >= 0;
  }
}
