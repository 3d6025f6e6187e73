package io.shardmark.proxy.users;

import io.shardmark.config.ConfigException;
import io.shardmark.config.proxy.AuthMethod;
import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.config.proxy.UserConfig;
import io.shardmark.proxy.background.BackgroundRunner;
import io.shardmark.proxy.background.BackgroundTask;
import io.shardmark.proxy.catalog.ShardConnections;
import io.shardmark.proxy.protocol.scram.ScramVerifier;
import io.shardmark.proxy.session.login.Credential;
import io.shardmark.proxy.session.login.Credentials;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may log in, by the configuration's method. Asked on event loops; the shards are read as a
 * background task, again in intervals and after a login that was refused.
 */
public final class UserDirectory implements Credentials {
  private static final Logger LOG = LoggerFactory.getLogger(UserDirectory.class);

  /** How often a stranger can make the proxy ask the shards. */
  private static final Duration AFTER_REFUSAL = Duration.ofMillis(500);

  private static final Duration LOOK_FOR_AN_INTERVAL = Duration.ofSeconds(1);

  private final Supplier<ProxyConfig> config;
  private final ShardVerifiers shards;
  private final Runnable rolesChanged;
  private final SecureRandom random = new SecureRandom();
  private final AtomicBoolean askedSoon = new AtomicBoolean();
  private final BackgroundTask task;
  private volatile boolean everybody;
  private volatile Map<String, Credential> users = Map.of();
  private volatile List<String> problems = List.of();

  /**
   * @param rolesChanged runs after the shards' roles have been found to be others
   */
  public UserDirectory(
      ShardConnections connections,
      Supplier<ProxyConfig> config,
      Runnable rolesChanged,
      BackgroundRunner runner) {
    this.shards = new ShardVerifiers(connections);
    this.config = config;
    this.rolesChanged = rolesChanged;
    this.task = runner.task("users", this::look);
  }

  /**
   * Reads the users for the first time and goes on looking; blocks.
   *
   * @throws ConfigException if the shards are to be asked and do not allow it
   */
  public void start() {
    read();
    if (config.get().auth() == AuthMethod.SHARDS) {
      task.runWithin(pause());
    }
  }

  private synchronized void read() {
    ProxyConfig now = config.get();
    everybody = now.auth() == AuthMethod.TRUST;
    if (now.auth() == AuthMethod.SHARDS) {
      shards.read().ifPresent(this::use);
    } else {
      Map<String, Credential> read = new HashMap<>();
      now.users().forEach(user -> read.put(user.name(), credential(user)));
      users = Map.copyOf(read);
    }
  }

  private Credential credential(UserConfig user) {
    return user.scram()
        .<Credential>map(text -> new Credential.Scram(ScramVerifier.parse(text.value())))
        .or(() -> user.password().map(text -> Credential.ofPassword(text.value(), random)))
        .orElseGet(Credential.Trust::new);
  }

  private void use(ShardVerifiers.VerifierReading reading) {
    if (!reading.problems().equals(problems)) {
      reading.problems().forEach(LOG::warn);
      problems = reading.problems();
    }
    Map<String, Credential> read = new HashMap<>();
    reading.byRole().forEach((role, verifier) -> read.put(role, new Credential.Scram(verifier)));
    boolean others = !read.keySet().equals(users.keySet());
    users = Map.copyOf(read);
    if (others) {
      rolesChanged.run();
    }
  }

  /** Where the shards disagree about who may log in, one line each. */
  public List<String> problems() {
    return problems;
  }

  private Duration pause() {
    Duration interval = config.get().background().catalogInterval();
    return interval.isZero() ? LOOK_FOR_AN_INTERVAL : interval;
  }

  /** A reload may have set the interval to never, or to something else than never. */
  private Duration look() {
    if (askedSoon.getAndSet(false) || !config.get().background().catalogInterval().isZero()) {
      readAgain();
    }
    return pause();
  }

  /** Reads the users anew; blocks. If the shards are to be asked and none answers, all stays. */
  public void readAgain() {
    try {
      read();
    } catch (ConfigException e) {
      LOG.warn(e.getMessage());
    }
  }

  @Override
  public @Nullable Credential find(String user) {
    return everybody ? new Credential.Trust() : users.get(user);
  }

  @Override
  public void refused() {
    if (config.get().auth() == AuthMethod.SHARDS) {
      askedSoon.set(true);
      task.runWithin(AFTER_REFUSAL);
    }
  }
}
