package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.Broadcast;
import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.pool.ReportedParameters;
import io.shardmark.proxy.pool.ServerConnection;
import io.shardmark.proxy.protocol.BackendMessages;
import io.shardmark.proxy.protocol.CancelKey;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Severity;
import io.shardmark.proxy.protocol.SqlState;
import io.shardmark.proxy.routing.FixedParameter;
import io.shardmark.proxy.routing.HandRoute;
import io.shardmark.proxy.routing.StatementPlan.SetRoute;
import io.shardmark.proxy.settings.Settings;
import io.shardmark.proxy.settings.SettingsSql;
import io.shardmark.proxy.settings.SettingsState;
import io.shardmark.proxy.settings.StartupMessage;
import io.shardmark.proxy.shardmap.StartValues;
import io.shardmark.proxy.sql.KeyFormatException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a new client's session begins with, and sends the client what PostgreSQL would. The
 * first client of a user waits until a server is there to be asked, and so does the first that
 * gives certain values in its startup message; later ones never wait, on whatever event loop.
 */
final class WelcomeStep implements ExecutionStep {
  private static final String APPLICATION_NAME = "application_name";
  private static final String CLIENT_ENCODING = "client_encoding";
  private static final Settings OF_CONNECTIONS = Settings.of(StartValues.OF_CONNECTIONS);

  private final Client client;
  private final ReportedParameters reports;
  private final int secretKeyBytes;
  private final Runnable whenReported;

  /** By the startup message, as it is written there, and by ALTER ROLE and ALTER DATABASE. */
  private final Settings given;

  /** By the startup message, which may name a shard or a key as SET does. */
  private final Optional<SetRoute> route;

  private @Nullable Broadcast question;
  private int refusals;

  WelcomeStep(Client client, Map<String, String> startup, int secretKeyBytes) {
    this.client = client;
    this.reports = client.context().pools().reported(client.user());
    this.whenReported = this::reported;
    this.secretKeyBytes = secretKeyBytes;
    Map<String, String> ofUser =
        new HashMap<>(client.planner().schemas().startValues().of(client.user()));
    ofUser.remove(FixedParameter.STANDARD_CONFORMING_STRINGS.parameter());
    if (client.shardCount() > 1) {
      ofUser.remove(CLIENT_ENCODING);
    }
    Settings asked = StartupMessage.settings(startup);
    this.given = Settings.of(ofUser).withAll(asked.without(HandRoute.KEY).without(HandRoute.SHARD));
    this.route =
        asked
            .value(HandRoute.SHARD)
            .map(name -> new SetRoute(HandRoute.SHARD, name))
            .or(() -> asked.value(HandRoute.KEY).map(key -> new SetRoute(HandRoute.KEY, key)));
  }

  @Override
  public boolean advance() {
    Optional<String> refusal = refusal();
    if (refusal.isPresent()) {
      return refused(ErrorFields.error(SqlState.FEATURE_NOT_SUPPORTED, refusal.get()));
    }
    try {
      route.ifPresent(asked -> client.routeTo(HandRoute.shardOf(client.planner().map(), asked)));
    } catch (KeyFormatException e) {
      return refused(
          ErrorFields.error(SqlState.INVALID_PARAMETER_VALUE, String.valueOf(e.getMessage())));
    }
    Map<String, String> known = reports.latest();
    Optional<Settings> understood = known.isEmpty() ? Optional.empty() : understood();
    if (understood.isEmpty()) {
      try {
        understood = askServer();
      } catch (StatementException e) {
        if (question == null && ++refusals < client.shardCount()) {
          return advance();
        }
        return refused(e.fields());
      }
      if (understood.isEmpty()) {
        return false;
      }
      known = reports.latest();
      if (known.isEmpty()) {
        return advance(); // they have just been forgotten
      }
    }
    Settings first = beginningWith(known, understood.get());
    client.clientSettings().beginWith(first);
    int processId = 0;
    if (client.shardCount() == 1 && client.participants().keeps()) {
      try {
        ServerConnection server = client.participants().require(0);
        if (server == null) {
          return false;
        }
        processId = server.processId();
      } catch (StatementException e) {
        return refused(e.fields());
      }
    }
    // It may have been granted one, or still wait for one, that it needs no more.
    client.participants().forgetWaits();
    client.participants().releaseAll();
    abandon();
    welcome(known, first, processId);
    return true;
  }

  /** Why the texts of such a session could not be read. */
  private Optional<String> refusal() {
    int shards = client.shardCount();
    return Arrays.stream(FixedParameter.values())
        .filter(one -> given.value(one.parameter()).filter(v -> one.refuses(shards, v)).isPresent())
        .map(FixedParameter::message)
        .findFirst();
  }

  private boolean refused(ErrorFields error) {
    client.participants().forgetWaits();
    client.owner().refuse(ErrorFields.of(Severity.FATAL, error.sqlState(), error.message()));
    return true;
  }

  /** The values that were given, as servers spell them, if that is known. */
  private Optional<Settings> understood() {
    Settings asked = toBeAsked();
    Optional<Settings> known =
        asked.values().isEmpty() ? Optional.of(asked) : reports.understood(asked);
    return known.map(given::withAll);
  }

  /** Without the name of the application, of which there is no end: it mostly stays as it is. */
  private Settings toBeAsked() {
    boolean isPlain =
        given
            .value(APPLICATION_NAME)
            .filter(name -> name.length() < 64 && name.chars().allMatch(c -> c >= 32 && c < 127))
            .isPresent();
    return isPlain ? given.without(APPLICATION_NAME) : given;
  }

  /** Has a server take the values and say what they are; empty: not yet. */
  private Optional<Settings> askServer() {
    ServerConnection server = client.participants().require(client.participants().anyShard());
    if (server == null) {
      if (reports.latest().isEmpty()) {
        // Another client's login, on whatever loop, may bring it before a server is free for this.
        reports.whenKnown(whenReported);
      }
      return Optional.empty();
    }
    if (reports.latest().isEmpty()) {
      reports.keep(server.parameters());
    }
    Optional<Settings> known = understood();
    if (known.isPresent()) {
      return known;
    }
    Settings without = client.clientSettings().base();
    if (without.equals(Settings.NONE)) {
      // What a value means may depend on the one before: DateStyle has two parts.
      client.clientSettings().beginWith(beginningWith(reports.latest(), Settings.NONE));
      return askServer();
    }
    List<String> names = List.copyOf(toBeAsked().values().keySet());
    Broadcast asked = question;
    if (asked == null) {
      List<String> texts = SettingsSql.change(without, without.withAll(toBeAsked()));
      names.forEach(name -> texts.add(SettingsSql.show(name)));
      asked =
          new Broadcast(client.output(), Map.of(server, texts))
              .changing(
                  (before, values) -> SettingsState.of(without.withAll(named(names, values))));
      question = asked;
    }
    if (!asked.advance()) {
      return Optional.empty();
    }
    reports.keepUnderstood(toBeAsked(), named(names, asked.values()));
    return understood();
  }

  /** By the last of the values: there may be others before them. */
  private static Settings named(List<String> names, List<String> values) {
    Map<String, String> named = new HashMap<>();
    int before = values.size() - names.size();
    for (int i = 0; i < names.size(); i++) {
      named.put(names.get(i), values.get(before + i));
    }
    return Settings.of(named);
  }

  /** All that is reported and all on which answers depend has a value, set or not. */
  private static Settings beginningWith(Map<String, String> reported, Settings given) {
    return OF_CONNECTIONS
        .withAll(Settings.ofReported(reported))
        .with(APPLICATION_NAME, "")
        .withAll(given);
  }

  /**
   * @param processId of the one server connection that the client keeps until it leaves, or 0
   */
  private void welcome(Map<String, String> reported, Settings first, int processId) {
    reported.forEach(
        (name, value) -> {
          String own =
              name.equals(Settings.SESSION_USER)
                  ? client.user()
                  : first.value(name.toLowerCase(Locale.ROOT)).orElse(value);
          BackendMessages.parameterStatus(client.out(), name, own);
        });
    CancelKey key = client.issueCancelKey(secretKeyBytes, processId);
    BackendMessages.backendKeyData(client.out(), key.processId(), key.secretKey().toArray());
    client.readyForQuery();
  }

  /** Any thread. */
  private void reported() {
    if (!client.loop().isShuttingDown()) {
      client.proceedLater();
    }
  }

  @Override
  public void abandon() {
    reports.forget(whenReported);
  }
}
