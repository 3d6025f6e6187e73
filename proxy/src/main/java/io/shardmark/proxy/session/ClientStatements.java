package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementText;
import io.shardmark.proxy.execution.StatementTexts;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One client's prepared statements by name; small while there are none. */
final class ClientStatements {
  private final StatementTexts texts;
  private @Nullable ClientStatement unnamed;
  private @Nullable Map<String, ClientStatement> named;

  ClientStatements(StatementTexts texts) {
    this.texts = texts;
  }

  @Nullable ClientStatement find(String name) {
    if (name.isEmpty()) {
      return unnamed;
    }
    return named == null ? null : named.get(name);
  }

  void put(ClientStatement statement) {
    statement.text().use();
    ClientStatement old;
    if (statement.isNamed()) {
      if (named == null) {
        named = new HashMap<>(4);
      }
      old = named.put(statement.name(), statement);
    } else {
      old = unnamed;
      unnamed = statement;
    }
    release(old);
  }

  void remove(String name) {
    ClientStatement old;
    if (name.isEmpty()) {
      old = unnamed;
      unnamed = null;
    } else {
      old = named == null ? null : named.remove(name);
    }
    release(old);
  }

  /** Removes it unless another one has its name by now. */
  void remove(ClientStatement statement) {
    if (statement.equals(find(statement.name()))) {
      remove(statement.name());
    }
  }

  /** It is one of the servers' statement of that text from now on. */
  void share(ClientStatement statement, StatementText text) {
    StatementText old = statement.text();
    statement.share(text);
    if (statement.equals(find(statement.name()))) {
      text.use();
      texts.release(old);
    }
  }

  private void release(@Nullable ClientStatement old) {
    if (old != null) {
      texts.release(old.text());
    }
  }

  void clear() {
    remove("");
    if (named != null) {
      named.values().forEach(this::release);
      named = null;
    }
  }
}
