package io.shardmark.proxy.session;

import io.netty.channel.EventLoop;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.ClientEncoding;
import io.shardmark.proxy.routing.StandardStrings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Tells a new client what PostgreSQL would: the servers' parameters with the client's own over
 * them. The first client of a user waits until a server is there to be asked; later ones never
 * wait, on whatever event loop.
 */
final class WelcomeStep implements Step {
  private final ClientSession session;
  private final Map<String, String> startup;
  private final int secretKeyBytes;
  private final Runnable whenReported;
  private int refusals;
  private boolean listening;

  WelcomeStep(ClientSession session, Map<String, String> startup, int secretKeyBytes) {
    this.session = session;
    this.startup = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    this.startup.putAll(startup);
    this.whenReported = this::reported;
    this.secretKeyBytes = secretKeyBytes;
  }

  @Override
  public boolean advance() {
    String encoding = startup.getOrDefault("client_encoding", "default");
    String options = startup.getOrDefault("options", "").toLowerCase(Locale.ROOT);
    boolean another = !ClientEncoding.isSafe(encoding) || options.contains("client_encoding");
    if (session.context().shardCount() > 1 && another) {
      return refused(ClientEncoding.REFUSED);
    }
    if (!StartupSettings.hasStandardStrings(session.firstSettings())) {
      return refused(StandardStrings.REFUSED);
    }
    Map<String, String> known = session.context().pools().parameters(session.user());
    if (known.isEmpty()) {
      ServerConnection server;
      try {
        server = session.links().require(session.links().anyShard());
      } catch (StatementException e) {
        if (++refusals < session.context().shardCount()) {
          return advance();
        }
        ErrorFields error = e.fields();
        session.refuse(ErrorFields.of(Severity.FATAL, error.sqlState(), error.message()));
        return true;
      }
      if (server == null) {
        listen();
        return false;
      }
      known = server.parameters();
    }
    // It may have been granted one, or still wait for one, that it needs no more.
    session.links().forgetWaits();
    session.links().releaseAll();
    abandon();
    Map<String, String> shown = new LinkedHashMap<>(known);
    shown.replaceAll((name, value) -> startup.getOrDefault(name, value));
    shown.computeIfPresent("session_authorization", (name, value) -> session.user());
    shown.computeIfPresent("client_encoding", (name, value) -> encodingName(value));
    shown.forEach((name, value) -> BackendMessages.parameterStatus(session.out(), name, value));
    CancelKey key = session.issueCancelKey(secretKeyBytes);
    BackendMessages.backendKeyData(session.out(), key.processId(), key.secretKey().toArray());
    session.readyForQuery();
    return true;
  }

  private boolean refused(String why) {
    session.refuse(ErrorFields.of(Severity.FATAL, SqlState.FEATURE_NOT_SUPPORTED, why));
    return true;
  }

  /** Another client's login, on whatever loop, may tell it before a server is free for this one. */
  private void listen() {
    if (!listening) {
      listening = true;
      session.context().pools().whenReported(session.user(), whenReported);
    }
  }

  /** Any thread. */
  private void reported() {
    EventLoop loop = session.context().loop();
    if (!loop.isShuttingDown()) {
      loop.execute(session::proceed);
    }
  }

  @Override
  public void abandon() {
    if (listening) {
      listening = false;
      session.context().pools().forgetReport(session.user(), whenReported);
    }
  }

  /** As PostgreSQL spells its usual encoding, which drivers compare with. */
  private static String encodingName(String value) {
    String plain = value.replace("-", "").replace("'", "").toUpperCase(Locale.ROOT);
    return plain.equals("UTF8") || plain.equals("UNICODE") ? "UTF8" : value;
  }
}
