package io.shardmark.config.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Processors;
import io.shardmark.config.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ProxyConfigTest {
  private static final String SMALLEST =
      """
      listen: 127.0.0.1:6432
      metrics: 127.0.0.1:9187
      shards:
        - {name: s1, host: 127.0.0.1, port: 5433, database: bench}
        - {name: s2, host: 127.0.0.1, port: 5434, database: bench}
      users:
        - {name: bench, password: bench}
      """;

  @TempDir private Path directory;

  private ProxyConfig parse(String text) {
    return ProxyConfig.parse(
        new ProxyConfig.Source("proxy.yaml", directory, Map.of("PW", "from $1 env")), text);
  }

  @Test
  void theSmallestFileIsEnough() {
    ProxyConfig config = parse(SMALLEST);

    assertThat(config.listen()).hasToString("127.0.0.1:6432");
    assertThat(config.metrics()).contains(new Endpoint("127.0.0.1", 9187));
    assertThat(config.shards())
        .extracting(ShardConfig::address)
        .containsExactly("127.0.0.1:5433/bench", "127.0.0.1:5434/bench");
    assertThat(config.ownLogin(config.shards().get(0)))
        .isEqualTo(new ProxyConfig.Login("bench", Optional.of(new Secret("bench"))));
    assertThat(config.auth()).isEqualTo(AuthMethod.SCRAM);
    assertThat(config.pool())
        .isEqualTo(
            new PoolConfig(
                PoolConfig.PoolMode.TRANSACTION,
                20,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                200,
                Duration.ofMinutes(10),
                Duration.ofHours(1)));
    assertThat(config.limits().scatterMemoryBytes()).isEqualTo(64 << 20);
    assertThat(config.crossShardIsolation()).isEqualTo(CrossShardIsolation.REFUSE);
    assertThat(config.loops().count()).isPositive();
  }

  @Test
  void everyKeyCanBeSet() throws IOException {
    Files.writeString(directory.resolve("a.pem"), "x");
    ProxyConfig config =
        parse(
            """
            listen: "[::1]:0"
            metrics: off
            auth: shards
            shards:
              - name: s1
                host: db.example
                database: d
                user: keeper
                password: ${PW}!
                tls: {mode: verify_ca, ca: a.pem, certificate: a.pem, key: a.pem}
              - {name: s2, database: d, user: keeper, tls: require}
            users:
              - {name: u, password: 0123}
            tls: {certificate: a.pem, key: a.pem, client_ca: a.pem, required: true}
            pool_mode: session
            pool_size: 7
            pool_wait_timeout: 500ms
            prepared_statements_per_server: 9
            server_idle_timeout: 0
            server_lifetime: 2h
            max_clients: 100000
            login_timeout: 5s
            scatter_memory_limit: 512kB
            cross_shard_isolation: per_shard
            event_loops: 3
            transport: nio
            busy_poll: 50us
            cpus: 0
            recovery_interval: 1min
            deadlock_interval: 0
            catalog_interval: 3s
            drain_timeout: 1s
            databases: [postgres, "u"]
            admin_users: [u, v]
            sharding: {accounts: aid, other.branches: bid}
            """);

    assertThat(config.listen()).isEqualTo(new Endpoint("::1", 0));
    assertThat(config.metrics()).isEmpty();
    assertThat(config.shards().get(0).password()).contains(new Secret("from $1 env!"));
    assertThat(config.shards().get(0).tls().ca()).contains(directory.resolve("a.pem"));
    assertThat(config.shards().get(1).tls().mode()).isEqualTo(ServerTls.TlsMode.REQUIRE);
    assertThat(config.user("u"))
        .get()
        .extracting(UserConfig::password)
        .hasToString("Optional[***********]");
    assertThat(config.user("u").flatMap(UserConfig::password)).contains(new Secret("0123"));
    assertThat(config.tls())
        .get()
        .extracting(ClientTls::policy)
        .isEqualTo(ClientTls.Policy.REQUIRE);
    assertThat(config.pool().serverIdleTimeout()).isZero();
    assertThat(config.background())
        .isEqualTo(
            new BackgroundConfig(
                Duration.ofMinutes(1),
                Duration.ZERO,
                Duration.ofSeconds(3),
                Duration.ofSeconds(1)));
    assertThat(config.loops())
        .isEqualTo(
            new LoopsConfig(
                3, Transport.NIO, Duration.ofNanos(50_000), new Processors(List.of(0))));
    assertThat(config.sharding()).containsEntry("other.branches", "bid");
    assertThat(config.adminUsers()).containsExactlyInAnyOrder("u", "v");
    assertThat(config.databases().orElseThrow()).containsExactlyInAnyOrder("postgres", "u");
    assertThat(config.toString()).doesNotContain("from $1 env").doesNotContain("0123");
  }

  @Test
  void clientsMayAskForTheShardsDatabasesAndThoseNamed() {
    ProxyConfig plain = parse(SMALLEST);
    String own = plain.shards().get(0).database();
    assertThat(plain.serves(own)).isTrue();
    assertThat(plain.serves("other")).isFalse();
    ProxyConfig named = parse(SMALLEST + "databases: [other]\n");
    assertThat(named.serves(own)).isTrue();
    assertThat(named.serves("other")).isTrue();
    assertThat(named.serves("third")).isFalse();
    assertThat(plain.keysNeedingRestart(named, 2)).isEmpty();
    assertThat(parse(SMALLEST + "databases: any\n").serves("third")).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          port: 5434     | port: 70000       | shards[1].port: 70000 is not a port (1 to 65535)
          port: 5434     | port: x           | shards[1].port: x is not a port (1 to 65535)
          port: 5434     | prot: 1           | shards[1].prot: unknown key; did you mean port?
          name: s2       | name: s1          | shards[1]: name s1 is that of shards[0] too
          port: 5434     | port: 5433        | shards[1]: 127.0.0.1:5433/bench is shards[0] too; its rows would be counted twice
          name: s2       | name: S_2         | shards[1].name: S_2 is not a shard's name (a-z, 0-9, -; 1 to 20 characters)
          name: s2,      | ""                | shards[1].name: is missing
          listen:        | lisetn:           | lisetn: unknown key; did you mean listen?
          127.0.0.1:6432 | nowhere           | listen: nowhere is not host:port with a port from 0 to 65535
          127.0.0.1:6432 | ::1:5432          | listen: ::1:5432 is not host:port with a port from 0 to 65535
          password: bench| scram: secret     | users[0]: scram: is not of the form SCRAM-SHA-256$iterations:salt$storedkey:serverkey
          password: bench| password: '${NO}' | users[0].password: the environment variable NO is not set
          password: bench| password: [hush]  | users[0].password: is not a text
          password: bench| password: ''      | users[0].password: '' is not a text
          ", password: bench" | ""           | users[0]: has neither password nor scram verifier
          database: bench} | database: bench, password: x} | shards[0]: has a password but no user
          "host: 127.0.0.1, port: 5433" | "host: /run, tls: require" | shards[0]: asks for tls over a Unix-domain socket, which PostgreSQL does not have
          "host: 127.0.0.1, port: 5433" | "port: 1, hosts: [a:1]" | shards[0]: has hosts, and host or port too; hosts are written host:port
          "host: 127.0.0.1, port: 5433" | "hosts: []" | shards[0].hosts: is empty; expected host:port of the primary and of each standby
          "host: 127.0.0.1, port: 5433" | "hosts: [a]" | shards[0].hosts[0]: a is not host:port with a port from 1 to 65535
          "host: 127.0.0.1, port: 5433" | "hosts: ['a:1', 'a:1']" | shards[0]: a:1/bench is named twice
          "host: 127.0.0.1, port: 5433" | "hosts: ['127.0.0.1:5434']" | shards[1]: 127.0.0.1:5434/bench is shards[0] too; its rows would be counted twice
          users:         | pool_size: 0      | pool_size: 0 is not a whole number from 1 to 10000
          """)
  void aFaultIsOneLine(String part, String replacement, String message) {
    String text =
        part.equals("users:")
            ? SMALLEST + replacement + "\n"
            : SMALLEST.replaceFirst(java.util.regex.Pattern.quote(part), quoted(replacement));

    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(ConfigException.class)
        .hasMessage("proxy.yaml: " + message.replace("'' is not", "an empty value is not"));
  }

  private static String quoted(String text) {
    return java.util.regex.Matcher.quoteReplacement(text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          pool_mode: statement        | pool_mode: statement is not one of transaction, session
          pool_wait_timeout: 10       | pool_wait_timeout: 10 is not a duration such as 500ms, 10s, 5min, 1h
          pool_wait_timeout: 0s       | pool_wait_timeout: 0s is not a duration over zero, up to 365d
          scatter_memory_limit: lots  | scatter_memory_limit: lots is not a size such as 512kB, 64MB, 1GB
          tls: {certificate: gone}    | tls.certificate: %s/gone is not a file that can be read
          tls: yes                    | tls: yes is not a mapping (key: value)
          sharding: [a]               | sharding: a mapping or list is not a mapping (key: value)
          sharding: {a.b.c: d}        | sharding.a.b.c: is not a table (table or schema.table)
          admin_users: me             | admin_users: me is not a list
          databases: bench            | databases: bench is not a list of names, or any
          event_loops: 257            | event_loops: 257 is not a whole number from 1 to 256
          busy_poll: 1s               | busy_poll: 1s is not 0, or a duration up to 10ms
          cpus: 0,9999                | cpus: 0,9999: expected processors that this process may use,
          auth: shards                | shards[0].user: is missing; the proxy reads catalogs with it and, for auth: shards, the verifiers
          """)
  void aFaultyValueIsOneLine(String line, String message) {
    assertThatThrownBy(() -> parse(SMALLEST + line + "\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("proxy.yaml: " + message.replace("%s", directory.toString()));
  }

  @Test
  void brokenYamlNamesTheLineAndQuotesNothing() {
    assertThatThrownBy(() -> parse("users:\n  - {name: a, password: \"hush}\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessageMatching("proxy\\.yaml: line \\d+: not YAML: .*")
        .hasMessageNotContaining("hush");
    assertThatThrownBy(() -> parse(SMALLEST + "listen: a:1\n"))
        .hasMessage("proxy.yaml: line 8: not YAML: found duplicate key listen");
    assertThatThrownBy(() -> parse("")).hasMessageContaining("is not a mapping");
    assertThatThrownBy(() -> parse("listen: a:1\n")).hasMessage("proxy.yaml: shards: is missing");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> ProxyConfig.read(directory.resolve("none.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith(directory + "/none.yaml: cannot be read");
  }

  @Test
  void tellsWhatNeedsARestart() {
    ProxyConfig config = parse(SMALLEST);

    assertThat(config.keysNeedingRestart(parse(SMALLEST + "pool_size: 5\nadmin_users: [a]\n"), 2))
        .isEmpty();
    assertThat(
            config.keysNeedingRestart(
                parse(SMALLEST.replace(":6432", ":6433").replace("name: s2", "name: s3")), 2))
        .containsExactly("listen", "shards");
  }

  @Test
  void aListOfHostsCanBeReloaded() {
    ProxyConfig single = parse(SMALLEST);
    ProxyConfig two = parse(withHosts("[a:1, b:1]"));
    assertThat(two.keysNeedingRestart(parse(withHosts("[b:1, c:2, d:3]")), 2)).isEmpty();
    assertThat(single.keysNeedingRestart(two, 2)).containsExactly("shards");
    assertThat(two.keysNeedingRestart(single, 2)).containsExactly("shards");
  }

  @Test
  void aShardCanBeAppendedAndNothingElse() {
    String third = "  - {name: s3, port: 5435, database: bench}\nusers:";
    ProxyConfig two = parse(SMALLEST);
    ProxyConfig three = parse(SMALLEST.replace("users:", third));
    assertThat(two.keysNeedingRestart(three, 2)).isEmpty();
    assertThat(three.keysNeedingRestart(two, 3)).containsExactly("shards");
    assertThat(
            two.keysNeedingRestart(
                parse(SMALLEST.replace("users:", third).replace("name: s2", "name: s4")), 2))
        .containsExactly("shards");
    String alone = SMALLEST.replaceFirst("  - \\{name: s2[^}]*\\}\n", "");
    assertThat(parse(alone).keysNeedingRestart(two, 1)).containsExactly("shards");
  }

  @Test
  void aShardThatDoesNotCountCanBeCorrectedAndRemoved() {
    String third = "  - {name: s3, port: 5435, database: bench}\nusers:";
    ProxyConfig three = parse(SMALLEST.replace("users:", third));
    ProxyConfig other = parse(SMALLEST.replace("users:", third.replace("5435", "5436")));
    assertThat(three.keysNeedingRestart(other, 2)).isEmpty();
    assertThat(three.keysNeedingRestart(other, 3)).containsExactly("shards");
    assertThat(three.keysNeedingRestart(parse(SMALLEST), 2)).isEmpty();
  }

  private static String withHosts(String hosts) {
    return SMALLEST.replaceFirst(
        "\\{name: s2[^}]*\\}", "{name: s2, database: bench, hosts: " + hosts + "}");
  }

  /** The proxy's own login is the first of users where no shard names one. */
  @Test
  void anotherFirstUserNeedsARestart() {
    ProxyConfig config = parse(SMALLEST);
    String other = "  - {name: first, password: bench}\n  - {name: bench, password: bench}\n";
    ProxyConfig changed = parse(SMALLEST.replace("  - {name: bench, password: bench}\n", other));
    assertThat(config.keysNeedingRestart(changed, 2))
        .containsExactly("shards[].user (the first of users)");
    assertThat(
            config.keysNeedingRestart(parse(SMALLEST + "  - {name: second, password: two}\n"), 2))
        .isEmpty();
    assertThat(
            config.keysNeedingRestart(parse(SMALLEST.replace("password: bench", "password: b")), 2))
        .isEmpty();
  }
}
