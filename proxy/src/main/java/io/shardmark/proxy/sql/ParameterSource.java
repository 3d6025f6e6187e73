package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.KeyType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parameter values of one execution, read only where a route needs them. */
public interface ParameterSource {
  /**
   * One parameter.
   *
   * @param index from 0
   * @return a Long or String after the type, or null for NULL
   * @throws KeyFormatException if the bytes cannot be a value of that type
   */
  @Nullable Object value(int index, KeyType type);

  /** The elements of an array parameter; null elements are left out. */
  List<Object> elements(int index, KeyType type);
}
