package io.shardmark.proxy.session;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One client's prepared statements by name; small while there are none. */
final class ClientStatements {
  private final StatementTexts texts;
  private @Nullable StatementText unnamed;
  private @Nullable Map<String, StatementText> named;

  ClientStatements(StatementTexts texts) {
    this.texts = texts;
  }

  @Nullable StatementText find(String name) {
    if (name.isEmpty()) {
      return unnamed;
    }
    return named == null ? null : named.get(name);
  }

  void put(String name, StatementText text) {
    text.use();
    StatementText old;
    if (name.isEmpty()) {
      old = unnamed;
      unnamed = text;
    } else {
      if (named == null) {
        named = new HashMap<>(4);
      }
      old = named.put(name, text);
    }
    if (old != null) {
      texts.release(old);
    }
  }

  void remove(String name) {
    StatementText old;
    if (name.isEmpty()) {
      old = unnamed;
      unnamed = null;
    } else {
      old = named == null ? null : named.remove(name);
    }
    if (old != null) {
      texts.release(old);
    }
  }

  void clear() {
    remove("");
    if (named != null) {
      named.values().forEach(texts::release);
      named = null;
    }
  }
}
