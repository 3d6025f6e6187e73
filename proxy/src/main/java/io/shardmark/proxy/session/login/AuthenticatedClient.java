package io.shardmark.proxy.session.login;

import io.shardmark.proxy.protocol.ProtocolVersion;
import io.shardmark.proxy.protocol.scram.ScramKeys;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A client that has logged in.
 *
 * @param parameters the rest of the startup packet in its order: session parameters, {@code
 *     options}; without user, database and replication
 * @param version what the session speaks: from 3.2 on, cancel keys may be longer than 4 bytes
 * @param scramKeys what its proof revealed, for its server connections; null if it was trusted
 */
public record AuthenticatedClient(
    String user,
    String database,
    Map<String, String> parameters,
    ProtocolVersion version,
    @Nullable ScramKeys scramKeys) {
  public AuthenticatedClient {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }
}
