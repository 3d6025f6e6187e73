package io.shardmark.proxy.session;

import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.routing.ParameterSource;

/** How a statement came and where its parameters are. */
sealed interface Arguments {
  /** Values that routes are read from. */
  ParameterSource values();

  /** In a Query message: literals in the text. The answer begins with RowDescription. */
  record Text(String sql, ParameterSource values) implements Arguments {}

  /**
   * In a Bind message, kept.
   *
   * @param maxRows of Execute, 0: all
   */
  record Bound(
      StatementText text, BindReader bind, ParameterSource values, Portal portal, int maxRows)
      implements Arguments {}
}
