package io.shardmark.proxy.execution;

import io.shardmark.proxy.protocol.SqlState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One client's prepared statements by name; small while there are none. */
public final class ClientStatements {
  private final StatementTexts texts;
  private @Nullable ClientStatement unnamed;
  private @Nullable Map<String, ClientStatement> named;

  public ClientStatements(StatementTexts texts) {
    this.texts = texts;
  }

  public @Nullable ClientStatement find(String name) {
    if (name.isEmpty()) {
      return unnamed;
    }
    return named == null ? null : named.get(name);
  }

  public void put(ClientStatement statement) {
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

  public void remove(String name) {
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
  public void remove(ClientStatement statement) {
    if (statement.equals(find(statement.name()))) {
      remove(statement.name());
    }
  }

  /** It is one of the servers' statement of that text from now on. */
  public void share(ClientStatement statement, StatementText text) {
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

  public void clear() {
    remove("");
    if (named != null) {
      named.values().forEach(this::release);
      named = null;
    }
  }

  /** Whether there is one of that name. */
  public boolean isPrepared(String name) {
    return find(name) != null;
  }

  /** A statement prepared in SQL. */
  public void keep(String name, StatementText text) {
    ClientStatement statement = new ClientStatement(name, text);
    statement.share(text);
    put(statement);
  }

  /**
   * The one of that name.
   *
   * @throws StatementException if there is none
   */
  public ClientStatement existing(String name) {
    ClientStatement statement = find(name);
    if (statement == null) {
      throw new StatementException(
          SqlState.INVALID_SQL_STATEMENT_NAME,
          name.isEmpty()
              ? "unnamed prepared statement does not exist"
              : "prepared statement \"" + name + "\" does not exist");
    }
    return statement;
  }

  /** DEALLOCATE; "": all. */
  public void deallocate(String name) {
    if (name.isEmpty()) {
      clear();
    } else {
      existing(name);
      remove(name);
    }
  }
}
