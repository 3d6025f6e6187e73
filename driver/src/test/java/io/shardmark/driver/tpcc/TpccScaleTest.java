package io.shardmark.driver.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConfigException;
import io.shardmark.config.PropertyReader;
import io.shardmark.driver.benchmark.Scale;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.loader.data.DataSet;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How many warehouses there are, and which of them this process has. */
final class TpccScaleTest {
  private final Tpcc tpcc = new Tpcc();

  private static PropertyReader values(String text) {
    return BenchmarkProperties.parse(
            Benchmarks.KEYS, Path.of("props.pg"), text.replace(";", "\n"), Map.of())
        .values();
  }

  @Test
  void oneProcessHasAllWarehouses() {
    assertThat(tpcc.scale(values("warehouses=7"))).isEqualTo(Scale.divided("warehouse", 7, 1, 7));
  }

  @Test
  void aPartIsGivenByItsEnds() {
    DataSet data = tpcc.dataSet(values("warehouses=10;warehouseFrom=3;warehouseTo=5"));

    assertThat(data.size()).isEqualTo("10 warehouses");
    assertThat(data.part())
        .containsExactly(Map.entry("warehouseFrom", "3"), Map.entry("warehouseTo", "5"));
    assertThat(data.unit(data.firstUnit()).name()).isEqualTo("WAREHOUSE 3 1");
    assertThat(data.unit(data.endUnit() - 1).name()).isEqualTo("ORDER 5 10");
  }

  @Test
  void unitsHaveTheirNumbersAndNamesOfTheirOwn() {
    DataSet data = tpcc.dataSet(values("warehouses=3"));
    Set<String> names = new HashSet<>();
    for (int number = 0; number < data.unitCount(); number++) {
      assertThat(data.unit(number).number()).isEqualTo(number);
      assertThat(names.add(data.unit(number).name())).isTrue();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          db=postgres     | props.pg: key 'warehouses' is missing: expected a whole number from 1
          warehouses=     | props.pg: key 'warehouses' is missing: expected a whole number from 1
          warehouses=abc  | props.pg:1: warehouses=abc: expected a whole number from 1
          warehouses=0    | props.pg:1: warehouses=0: expected a whole number from 1
          warehouses=-1   | props.pg:1: warehouses=-1: expected a whole number from 1
          warehouses=1.5  | props.pg:1: warehouses=1.5: expected a whole number from 1
          warehouses=9999999999 | props.pg:1: warehouses=9999999999: expected a whole number from 1 to 2147483647
          warehouses=2;warehouseFrom=3  | props.pg:2: warehouseFrom=3: expected a whole number from 1 to 2
          warehouses=2;warehouseTo=3    | props.pg:2: warehouseTo=3: expected a whole number from 1 to 2
          warehouses=9;warehouseFrom=5;warehouseTo=4 | props.pg:3: warehouseTo=4: expected a whole number from 5 to 9
          """)
  void refusesABadValueInOneLine(String text, String message) {
    assertThatThrownBy(() -> tpcc.dataSet(values(text)))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }
}
