package io.shardmark.proxy.pool.login;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What the logins to one database of one shard have in common. Shared by all event loops.
 *
 * @param database to log in to
 * @param parameters further parameters of the startup packet, such as application_name
 * @param tls null: clear text
 * @param timeout from the handler's being added to the first ReadyForQuery
 * @param background where keys are derived from passwords, which takes milliseconds
 */
public record ServerLoginConfig(
    String database,
    Map<String, String> parameters,
    @Nullable TlsToServer tls,
    Duration timeout,
    Executor background) {
  public ServerLoginConfig {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }
}
