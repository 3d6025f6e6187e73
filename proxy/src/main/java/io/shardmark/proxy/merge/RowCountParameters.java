package io.shardmark.proxy.merge;

import org.jspecify.annotations.Nullable;

/**
 * The values of one execution's parameters, for LIMIT and OFFSET. Over a routing ParameterSource it
 * is {@code index -> (Long) parameters.value(index, KeyType.INTEGER)}.
 */
@FunctionalInterface
public interface RowCountParameters {
  /**
   * One parameter.
   *
   * @param index from 0
   * @return its value, or null for NULL
   */
  @Nullable Long rows(int index);
}
