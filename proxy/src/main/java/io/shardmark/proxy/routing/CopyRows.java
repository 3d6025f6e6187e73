package io.shardmark.proxy.routing;

import io.shardmark.proxy.shardmap.Sharding;

/**
 * How the rows of COPY FROM STDIN are separated and which field is the key.
 *
 * @param keyField position of the sharding column in a row, from 0
 * @param header the first line is a header (csv, text)
 */
public record CopyRows(
    Sharding.ByColumn sharding,
    int keyField,
    Format format,
    byte delimiter,
    byte quote,
    byte escape,
    String nullText,
    boolean header) {
  /** COPY's formats. */
  public enum Format {
    TEXT,
    CSV,
    BINARY
  }
}
