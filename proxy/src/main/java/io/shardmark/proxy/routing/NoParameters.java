package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.sql.KeyFormatException;
import io.shardmark.proxy.sql.ParameterSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** For statements whose plan has no parameters. */
enum NoParameters implements ParameterSource {
  INSTANCE;

  @Override
  public @Nullable Object value(int index, KeyType type) {
    throw missing(index);
  }

  @Override
  public List<Object> elements(int index, KeyType type) {
    throw missing(index);
  }

  private static KeyFormatException missing(int index) {
    return new KeyFormatException("there is no parameter $" + (index + 1));
  }
}
