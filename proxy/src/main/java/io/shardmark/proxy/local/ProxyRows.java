package io.shardmark.proxy.local;

import io.shardmark.proxy.protocol.RowField;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows that the proxy itself knows, such as those of SHOW SHARD MAP. Any thread may call. */
public interface ProxyRows {
  /**
   * The rows of a topic.
   *
   * @param topic as the planner names it
   */
  OwnRows rows(String topic);

  /** A small result. */
  record OwnRows(List<RowField> fields, List<List<@Nullable String>> rows) {
    public OwnRows {
      fields = List.copyOf(fields);
      rows = List.copyOf(rows);
    }
  }
}
