package io.shardmark.proxy.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.proxy.ProxyConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShardHostsTest {
  private final Map<String, List<InetAddress>> names = new HashMap<>();
  private final List<Integer> moved = new ArrayList<>();
  private ProxyConfig config;

  private static final String TEXT =
      """
      listen: 127.0.0.1:0
      users:
        - {name: u, password: p}
      shards:
        - {name: s1, host: first.test, port: 5432, database: d}
        - {name: s2, host: second.test, port: 5433, database: d}
      """;

  @TempDir private Path directory;
  private Path file;

  @BeforeEach
  void readConfig() throws Exception {
    file = directory.resolve("proxy.yaml");
    Files.writeString(file, TEXT);
    config = ProxyConfig.read(file);
    names.put("first.test", at("10.0.0.1"));
    names.put("second.test", at("10.0.0.2"));
  }

  private static List<InetAddress> at(String... literals) throws UnknownHostException {
    List<InetAddress> all = new ArrayList<>();
    for (String literal : literals) {
      all.add(InetAddress.getByName(literal));
    }
    return all;
  }

  private ShardHosts hosts() {
    ShardHosts hosts =
        new ShardHosts(
            () -> config,
            host -> {
              List<InetAddress> found = names.get(host);
              if (found == null) {
                throw new UnknownHostException(host);
              }
              return found;
            });
    hosts.whenMoved((shard, old) -> moved.add(shard));
    return hosts;
  }

  @Test
  void tellsOfAShardThatHasMoved() throws UnknownHostException {
    ShardHosts hosts = hosts();
    hosts.look();
    assertThat(hosts.of(0).address()).isEqualTo(new InetSocketAddress("10.0.0.1", 5432));
    assertThat(moved).isEmpty();
    names.put("second.test", at("10.0.0.9"));
    assertThat(hosts.of(1).address()).isEqualTo(new InetSocketAddress("10.0.0.2", 5433));
    hosts.look();
    assertThat(hosts.of(1).address()).isEqualTo(new InetSocketAddress("10.0.0.9", 5433));
    assertThat(moved).containsExactly(1);
  }

  @Test
  void staysAtOneOfSeveralAddressesInWhateverOrderTheyCome() throws UnknownHostException {
    names.put("first.test", at("10.0.0.1", "10.0.0.3"));
    ShardHosts hosts = hosts();
    names.put("first.test", at("10.0.0.3", "10.0.0.1"));
    hosts.look();
    assertThat(hosts.of(0).address()).isEqualTo(new InetSocketAddress("10.0.0.1", 5432));
    names.remove("first.test");
    hosts.look();
    assertThat(hosts.of(0).address()).isEqualTo(new InetSocketAddress("10.0.0.1", 5432));
    assertThat(moved).isEmpty();
  }

  @Test
  void aShardThatDoesNotCountCanBeElsewhereAfterAReload() throws Exception {
    ShardHosts hosts = hosts();
    take(hosts, "first.test, port: 5439", "third.test");
    assertThat(moved).containsExactly(1);
    assertThat(hosts.shardCount()).isEqualTo(3);
    hosts.look();
    assertThat(hosts.of(0).address()).isEqualTo(new InetSocketAddress("10.0.0.1", 5432));
    assertThat(hosts.of(1).address()).isEqualTo(new InetSocketAddress("10.0.0.1", 5439));
    take(hosts);
    assertThat(hosts.shardCount()).isEqualTo(1);
    hosts.look();
    assertThatThrownBy(() -> hosts.of(1))
        .hasMessage("shard p0 is not in the configuration any more");
    take(hosts, "second.test");
    hosts.look();
    assertThat(hosts.of(1).address()).isEqualTo(new InetSocketAddress("10.0.0.2", 5432));
  }

  /** A reload while the first shard counts. */
  private void take(ShardHosts hosts, String... pending) throws Exception {
    StringBuilder text = new StringBuilder(TEXT.substring(0, TEXT.indexOf("  - {name: s2")));
    for (int shard = 0; shard < pending.length; shard++) {
      text.append("  - {name: p%d, host: %s, database: d}%n".formatted(shard, pending[shard]));
    }
    Files.writeString(file, text);
    config = ProxyConfig.read(file);
    hosts.takeShards(1);
  }

  @Test
  void aHostThatIsNotKnownAtTheStartIsFoundLater() throws UnknownHostException {
    names.remove("first.test");
    ShardHosts hosts = hosts();
    assertThatThrownBy(() -> hosts.of(0).address())
        .isInstanceOf(UnknownHostException.class)
        .hasMessageContaining("cannot be resolved");
    names.put("first.test", at("10.0.0.1"));
    hosts.look();
    assertThat(hosts.of(0).address()).isEqualTo(new InetSocketAddress("10.0.0.1", 5432));
    assertThat(moved).isEmpty();
  }
}
