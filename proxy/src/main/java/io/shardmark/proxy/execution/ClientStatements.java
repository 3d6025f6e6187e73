package io.shardmark.proxy.execution;

import io.shardmark.proxy.protocol.SqlState;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One client's prepared statements by name; small while there are none. */
public final class ClientStatements {
  private @Nullable ClientStatement unnamed;
  private @Nullable Map<String, ClientStatement> named;

  /** Names that PREPARE in SQL has given: the server that the client keeps has the statements. */
  private Set<String> ofServers = Set.of();

  public @Nullable ClientStatement find(String name) {
    if (name.isEmpty()) {
      return unnamed;
    }
    return named == null ? null : named.get(name);
  }

  /**
   * @throws StatementException if a statement of the protocol or of SQL has that name
   */
  public void refuseTaken(String name) {
    if (find(name) != null || ofServers.contains(name)) {
      throw new StatementException(
          SqlState.DUPLICATE_PREPARED_STATEMENT,
          "prepared statement \"" + name + "\" already exists");
    }
  }

  /** PREPARE in SQL has been executed. */
  public void preparedInSql(String name) {
    if (ofServers.isEmpty()) {
      ofServers = new HashSet<>();
    }
    ofServers.add(name);
  }

  /** DEALLOCATE of one of those. */
  public void forget(String name) {
    if (!ofServers.isEmpty()) {
      ofServers.remove(name);
    }
  }

  public void put(ClientStatement statement) {
    if (!statement.isNamed()) {
      unnamed = statement;
      return;
    }
    if (named == null) {
      named = new HashMap<>(4);
    }
    named.put(statement.name(), statement);
  }

  public void remove(String name) {
    if (name.isEmpty()) {
      unnamed = null;
    } else if (named != null) {
      named.remove(name);
    }
  }

  /** Removes it unless another one has its name by now. */
  public void remove(ClientStatement statement) {
    if (statement.equals(find(statement.name()))) {
      remove(statement.name());
    }
  }

  public void clear() {
    unnamed = null;
    named = null;
    ofServers = Set.of();
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
