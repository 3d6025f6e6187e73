package io.shardmark.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.tpcc.TpccKey;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which keys count depends on the workload that a file names. */
final class KeyCatalogTest {
  private static final KeyCatalog TWO = two();

  private enum OtherKey implements Key {
    SIZE;

    @Override
    public Traits traits() {
      return new Traits(
          "warehouse", KeyType.whole(1, 10), "3", KeyUse.BY_BOTH, "Shardmark", "how many");
    }
  }

  private static KeyCatalog two() {
    Map<String, List<? extends Key>> keys = new LinkedHashMap<>();
    keys.put("tpcc", List.of(TpccKey.values()));
    keys.put("other", List.of(OtherKey.values()));
    return new KeyCatalog(keys);
  }

  private static BenchmarkProperties parse(String text, String... arguments) {
    return BenchmarkProperties.parse(TWO, Path.of("props"), text, List.of(arguments));
  }

  @Test
  void theFirstWorkloadIsTheDefault() {
    assertThat(parse("warehouses=1").workload()).isEqualTo("tpcc");
    assertThat(parse("workload=").workload()).isEqualTo("tpcc");
  }

  @Test
  void readsTheKeysOfTheWorkloadThatIsNamed() {
    BenchmarkProperties properties = parse("warehouse=7\nworkload=other\n");

    assertThat(properties.workload()).isEqualTo("other");
    assertThat(properties.values().integer(OtherKey.SIZE)).isEqualTo(7);
    assertThat(parse("workload=other").values().integer(OtherKey.SIZE)).isEqualTo(3);
    assertThatThrownBy(() -> parse("workload=other\nwarehouse=11").values().integer(OtherKey.SIZE))
        .hasMessage("props:2: warehouse=11: expected a whole number from 1 to 10");
  }

  @Test
  void theCommandLineCanNameTheWorkload() {
    BenchmarkProperties properties = parse("workload=tpcc", "Workload", "other", "warehouse", "2");

    assertThat(properties.values().integer(OtherKey.SIZE)).isEqualTo(2);
  }

  @Test
  void whatFollowsAColonIsTheWorkloadsOwn() {
    BenchmarkProperties properties = parse("workload=other:my file.sql");

    assertThat(properties.workload()).isEqualTo("other");
    assertThat(properties.values().text(PropertyKey.WORKLOAD)).contains("other:my file.sql");
  }

  @Test
  void anUnknownWorkloadIsOneLineWithTheNearest() {
    assertThatThrownBy(() -> parse("\nworkload=tpcd"))
        .isInstanceOf(ConfigException.class)
        .hasMessage("props:2: workload=tpcd: expected one of tpcc, other: did you mean 'tpcc'?");
    assertThatThrownBy(() -> parse("", "workload", "ycsb"))
        .hasMessage("command line: workload=ycsb: expected one of tpcc, other");
  }

  @Test
  void aKeyOfAnotherWorkloadIsUnknownHere() {
    assertThatThrownBy(() -> parse("terminals=2\nwarehouses=5\nworkload=other"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "props:2: wrong key 'warehouses': it is a key of workload=tpcc; did you mean 'warehouse'?");
    assertThatThrownBy(() -> parse("workload=other\npaymentWeight=4"))
        .hasMessage(
            "props:2: wrong key 'paymentWeight': it is a key of workload=tpcc; workload=other has"
                + " warehouse");
    assertThatThrownBy(() -> parse("workload=other", "warehouses", "5"))
        .isInstanceOf(UsageException.class)
        .hasMessage(
            "command line: unknown key 'warehouses': it is a key of workload=tpcc; did you mean"
                + " 'warehouse'?");
  }

  @Test
  void aFileForAnotherWorkloadCanBeUsedByTheCommandLine() {
    assertThat(parse("warehouses=5\npaymentWeight=4", "workload", "other").warnings())
        .containsExactly(
            "props:1: unknown key 'warehouses' is ignored: it is a key of workload=tpcc; did you"
                + " mean 'warehouse'?",
            "props:2: unknown key 'paymentWeight' is ignored: it is a key of workload=tpcc;"
                + " workload=other has warehouse");
    assertThat(parse("warehouse=5").warnings()).isNotEmpty();
    assertThat(parse("Warehouse=5\nworkload=other").warnings())
        .containsExactly("props:1: unknown key 'Warehouse' is ignored: did you mean 'warehouse'?");
  }
}
