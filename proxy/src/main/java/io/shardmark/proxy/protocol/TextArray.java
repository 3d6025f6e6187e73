package io.shardmark.proxy.protocol;

import org.jspecify.annotations.Nullable;

/** The elements of an array of texts, in PostgreSQL's text format (PG18 §8.15.6 arrays-io). */
public final class TextArray {
  private final StringBuilder elements = new StringBuilder();

  /** Appends an element; null: NULL. */
  public void add(@Nullable String value) {
    elements.append(elements.length() == 0 ? "" : ",");
    if (value == null) {
      elements.append("NULL");
    } else {
      elements.append('"').append(value.replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
    }
  }

  /** The elements with commas between them, without the braces around. */
  public String elements() {
    return elements.toString();
  }

  /** The whole array. */
  @Override
  public String toString() {
    return "{" + elements + "}";
  }
}
