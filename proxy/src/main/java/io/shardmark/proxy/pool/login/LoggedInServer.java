package io.shardmark.proxy.pool.login;

import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.settings.Settings;
import java.net.SocketAddress;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a server said of itself while we logged in.
 *
 * @param parameters those it reports, in its order
 * @param settings that it begins with, as far as it reports them or was asked for them
 * @param cancelKey null if it gave none: nothing there can be cancelled
 * @param host where it is: its host's name may lead elsewhere by now
 */
public record LoggedInServer(
    Map<String, String> parameters,
    Settings settings,
    @Nullable CancelKey cancelKey,
    SocketAddress host) {
  public LoggedInServer {
    parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
  }
}
