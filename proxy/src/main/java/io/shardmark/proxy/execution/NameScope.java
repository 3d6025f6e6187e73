package io.shardmark.proxy.execution;

import io.shardmark.proxy.settings.Settings;
import java.util.List;

/**
 * What decides which tables the names in a text mean, and which values its literals.
 *
 * @param tables version of the tables; negative: of one transaction or one session alone
 * @param searchPath schemas of unqualified names
 * @param literals settings by which a server reads literals when it prepares a statement
 */
public record NameScope(long tables, List<String> searchPath, Settings literals) {
  /** Whether statements prepared with these may serve other clients too. */
  public boolean isShared() {
    return tables >= 0;
  }
}
