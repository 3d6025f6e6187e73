package io.shardmark.loader.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** TPC-C 4.3.2 and 4.3.3.1 over a whole warehouse of a fixed seed. */
final class PopulationTest {
  private static final long SEED = 11;
  private static final LocalDateTime LOAD_TIME = LocalDateTime.of(2026, 1, 2, 3, 4, 5);
  private static final String LOAD_MICROS = "micros 1767323045000000";
  private static final Population POPULATION = new Population(SEED, 3, LOAD_TIME);
  private static final int WAREHOUSE = 2;

  @Test
  void clause4331ItemRows() {
    List<Map<String, String>> items = all(PopulationUnit.UnitKind.ITEM, PopulationTable.ITEM, 0);
    assertThat(ints(items, "i_id")).containsExactlyElementsOf(range(1, 100_000));
    assertRange(items, "i_im_id", 1, 10_000);
    assertAlphanumeric(items, "i_name", 14, 24);
    assertDecimals(items, "i_price", "1.00", "100.00");
    assertAlphanumeric(items, "i_data", 26, 50);
    assertOriginalInTenPercent(items, "i_data");
  }

  @Test
  void clause4331StockRows() {
    // The last chunk is enough for the values; loads of whole tables are counted in LoadTest.
    List<Map<String, String>> stock =
        RecordedRows.of(
            POPULATION,
            new PopulationUnit(PopulationUnit.UnitKind.STOCK, WAREHOUSE, 5),
            PopulationTable.STOCK);
    assertThat(ints(stock, "s_i_id")).containsExactlyElementsOf(range(80_001, 100_000));
    assertAllEqual(stock, "s_w_id", "2");
    assertRange(stock, "s_quantity", 10, 100);
    for (String zero : List.of("s_ytd", "s_order_cnt", "s_remote_cnt")) {
      assertAllEqual(stock, zero, "0");
    }
    for (int district = 1; district <= 10; district++) {
      assertAlphanumeric(stock, "s_dist_%02d".formatted(district), 24, 24);
    }
    assertAlphanumeric(stock, "s_data", 26, 50);
    assertOriginalInTenPercent(stock, "s_data");
  }

  @Test
  void clause4331WarehouseRow() {
    List<Map<String, String>> rows =
        all(PopulationUnit.UnitKind.WAREHOUSE, PopulationTable.WAREHOUSE, WAREHOUSE);
    assertThat(rows).hasSize(1);
    assertAllEqual(rows, "w_id", "2");
    assertAllEqual(rows, "w_ytd", "300000.00");
    assertDecimalsWithin(rows, "w_tax", "0.0000", "0.2000");
    assertAlphanumericWithin(rows, "w_name", 6, 10);
    assertAddress(rows, "w");
  }

  @Test
  void clause4331DistrictRows() {
    List<Map<String, String>> rows =
        all(PopulationUnit.UnitKind.WAREHOUSE, PopulationTable.DISTRICT, WAREHOUSE);
    assertThat(ints(rows, "d_id")).containsExactlyElementsOf(range(1, 10));
    assertAllEqual(rows, "d_w_id", "2");
    assertAllEqual(rows, "d_ytd", "30000.00");
    assertAllEqual(rows, "d_next_o_id", "3001");
    assertDecimalsWithin(rows, "d_tax", "0.0000", "0.2000");
    assertAlphanumericWithin(rows, "d_name", 6, 10);
    assertAddress(rows, "d");
  }

  @Test
  void clause4331CustomerRows() {
    List<Map<String, String>> rows =
        all(PopulationUnit.UnitKind.CUSTOMER, PopulationTable.CUSTOMER, WAREHOUSE);
    assertThat(rows).hasSize(30_000);
    assertAllEqual(rows, "c_w_id", "2");
    assertAllEqual(rows, "c_middle", "OE");
    assertAllEqual(rows, "c_credit_lim", "50000.00");
    assertAllEqual(rows, "c_balance", "-10.00");
    assertAllEqual(rows, "c_ytd_payment", "10.00");
    assertAllEqual(rows, "c_payment_cnt", "1");
    assertAllEqual(rows, "c_delivery_cnt", "0");
    assertAllEqual(rows, "c_since", LOAD_MICROS);
    assertDecimals(rows, "c_discount", "0.0000", "0.5000");
    assertAlphanumeric(rows, "c_first", 8, 16);
    assertAlphanumeric(rows, "c_data", 300, 500);
    assertMatches(rows, "c_phone", "\\d{16}");
    assertAddress(rows, "c");
    for (int district = 1; district <= 10; district++) {
      List<Map<String, String>> own = rows.subList((district - 1) * 3_000, district * 3_000);
      assertAllEqual(own, "c_d_id", Integer.toString(district));
      assertThat(ints(own, "c_id")).containsExactlyElementsOf(range(1, 3_000));
    }
  }

  @Test
  void clause4331TenPercentOfCustomersHaveBadCredit() {
    List<Map<String, String>> rows =
        all(PopulationUnit.UnitKind.CUSTOMER, PopulationTable.CUSTOMER, WAREHOUSE);
    assertMatches(rows, "c_credit", "GC|BC");
    assertThat(rows.stream().filter(row -> text(row, "c_credit").equals("BC")).count())
        .isBetween(2_800L, 3_200L);
  }

  @Test
  void clause4323LastNamesAreThreeSyllablesOfANumber() {
    List<Map<String, String>> rows =
        RecordedRows.of(
            POPULATION,
            new PopulationUnit(PopulationUnit.UnitKind.CUSTOMER, WAREHOUSE, 1),
            PopulationTable.CUSTOMER);
    assertThat(rows.get(0)).containsEntry("c_last", "BARBARBAR");
    assertThat(rows.get(371)).containsEntry("c_last", "PRICALLYOUGHT");
    assertThat(rows.get(246)).containsEntry("c_last", "ABLEPRESANTI");
    assertThat(rows.get(859)).containsEntry("c_last", "ATIONESEEING");
    Set<String> firstThousand = new HashSet<>(texts(rows.subList(0, 1_000), "c_last"));
    assertThat(firstThousand).hasSize(1_000);
    assertThat(firstThousand).containsAll(texts(rows.subList(1_000, 3_000), "c_last"));
  }

  @Test
  void clause4331LaterLastNamesAreDrawnWithNurand() {
    List<Map<String, String>> rows =
        all(PopulationUnit.UnitKind.CUSTOMER, PopulationTable.CUSTOMER, WAREHOUSE);
    List<String> first = texts(rows.subList(0, 1_000), "c_last");
    int[] drawn = new int[1_000];
    for (int i = 0; i < rows.size(); i++) {
      if (i % 3_000 >= 1_000) {
        drawn[first.indexOf(text(rows.get(i), "c_last"))]++;
      }
    }
    // NURand(255, 0, 999) ORs 0 .. 255 into a uniform number: before C is added, a number whose low
    // eight bits are all ones comes up far more often than one whose low bits are zeros.
    int c = POPULATION.nonUniformCLast();
    int ones = drawn[(0xFF + c) % 1_000] + drawn[(0x1FF + c) % 1_000] + drawn[(0x2FF + c) % 1_000];
    int zeros = drawn[c] + drawn[(0x100 + c) % 1_000] + drawn[(0x200 + c) % 1_000];
    assertThat(ones).isGreaterThan(20 * (zeros + 1));
  }

  @Test
  void clause4331HistoryRows() {
    List<Map<String, String>> rows =
        all(PopulationUnit.UnitKind.CUSTOMER, PopulationTable.HISTORY, WAREHOUSE);
    assertThat(ints(rows, "hist_id")).containsExactlyElementsOf(range(30_001, 60_000));
    for (String warehouse : List.of("h_c_w_id", "h_w_id")) {
      assertAllEqual(rows, warehouse, "2");
    }
    assertThat(texts(rows, "h_d_id")).isEqualTo(texts(rows, "h_c_d_id"));
    assertAllEqual(rows, "h_date", LOAD_MICROS);
    assertAllEqual(rows, "h_amount", "10.00");
    assertAlphanumeric(rows, "h_data", 12, 24);
  }

  @Test
  void clause4331OrderRows() {
    List<Map<String, String>> rows =
        all(PopulationUnit.UnitKind.ORDER, PopulationTable.ORDER, WAREHOUSE);
    assertThat(rows).hasSize(30_000);
    assertAllEqual(rows, "o_w_id", "2");
    assertAllEqual(rows, "o_all_local", "1");
    assertAllEqual(rows, "o_entry_d", LOAD_MICROS);
    assertRange(rows, "o_ol_cnt", 5, 15);
    Set<List<Integer>> permutations = new HashSet<>();
    for (int district = 1; district <= 10; district++) {
      List<Map<String, String>> own = rows.subList((district - 1) * 3_000, district * 3_000);
      assertAllEqual(own, "o_d_id", Integer.toString(district));
      assertThat(ints(own, "o_id")).containsExactlyElementsOf(range(1, 3_000));
      List<Integer> customers = ints(own, "o_c_id");
      assertThat(customers).containsExactlyInAnyOrderElementsOf(range(1, 3_000));
      permutations.add(customers);
      assertRange(own.subList(0, 2_100), "o_carrier_id", 1, 10);
      assertAllEqual(own.subList(2_100, 3_000), "o_carrier_id", RecordedRows.NULL);
    }
    assertThat(permutations).hasSize(10);
  }

  @Test
  void clause4331OrderLineRows() {
    PopulationUnit district = new PopulationUnit(PopulationUnit.UnitKind.ORDER, WAREHOUSE, 7);
    List<Map<String, String>> orders = RecordedRows.of(POPULATION, district, PopulationTable.ORDER);
    List<Map<String, String>> lines =
        RecordedRows.of(POPULATION, district, PopulationTable.ORDER_LINE);
    List<String> expected = new ArrayList<>();
    for (Map<String, String> order : orders) {
      for (int number = 1; number <= Integer.parseInt(text(order, "o_ol_cnt")); number++) {
        expected.add(text(order, "o_d_id") + "/" + text(order, "o_id") + "/" + number);
      }
    }
    assertThat(lines)
        .extracting(l -> text(l, "ol_d_id") + "/" + text(l, "ol_o_id") + "/" + text(l, "ol_number"))
        .isEqualTo(expected);
    assertAllEqual(lines, "ol_w_id", "2");
    assertAllEqual(lines, "ol_supply_w_id", "2");
    assertAllEqual(lines, "ol_quantity", "5");
    assertRange(lines, "ol_i_id", 1, 100_000, 50);
    assertAlphanumeric(lines, "ol_dist_info", 24, 24);
    List<Map<String, String>> delivered = lines.stream().filter(l -> order(l) < 2_101).toList();
    assertAllEqual(delivered, "ol_amount", "0.00");
    assertAllEqual(delivered, "ol_delivery_d", LOAD_MICROS);
    List<Map<String, String>> open = lines.stream().filter(l -> order(l) >= 2_101).toList();
    assertAllEqual(open, "ol_delivery_d", RecordedRows.NULL);
    assertDecimalsWithin(open, "ol_amount", "0.01", "9999.99");
    assertThat(new HashSet<>(texts(open, "ol_amount"))).hasSizeGreaterThan(open.size() * 9 / 10);
  }

  private static int order(Map<String, String> line) {
    return Integer.parseInt(text(line, "ol_o_id"));
  }

  @Test
  void clause4331NewOrderRows() {
    List<Map<String, String>> rows =
        all(PopulationUnit.UnitKind.ORDER, PopulationTable.NEW_ORDER, WAREHOUSE);
    assertThat(rows).hasSize(9_000);
    assertAllEqual(rows, "no_w_id", "2");
    for (int district = 1; district <= 10; district++) {
      List<Map<String, String>> own = rows.subList((district - 1) * 900, district * 900);
      assertAllEqual(own, "no_d_id", Integer.toString(district));
      assertThat(ints(own, "no_o_id")).containsExactlyElementsOf(range(2_101, 3_000));
    }
  }

  @Test
  void clause2161ConstantsOfNurandAreInTheirRanges() {
    for (long seed = 0; seed < 500; seed++) {
      Population population = new Population(seed, 1, LOAD_TIME);
      assertThat(population.nonUniformCLast()).isBetween(0, 255);
      assertThat(population.nonUniformCCustomerId()).isBetween(0, 1_023);
      assertThat(population.nonUniformCItemId()).isBetween(0, 8_191);
    }
  }

  @Test
  void aBlockDependsOnSeedTableAndPlaceAlone() {
    PopulationUnit unit = new PopulationUnit(PopulationUnit.UnitKind.STOCK, 3, 4);
    List<Map<String, String>> rows = RecordedRows.of(POPULATION, unit, PopulationTable.STOCK);
    assertThat(
            RecordedRows.of(
                new Population(SEED, 900, LOAD_TIME.plusYears(1)), unit, PopulationTable.STOCK))
        .isEqualTo(rows);
    assertThat(RecordedRows.of(new Population(12, 3, LOAD_TIME), unit, PopulationTable.STOCK))
        .isNotEqualTo(rows);
    List<Map<String, String>> other =
        RecordedRows.of(
            POPULATION,
            new PopulationUnit(PopulationUnit.UnitKind.STOCK, 2, 4),
            PopulationTable.STOCK);
    Set<String> inCommon = new HashSet<>(texts(rows, "s_dist_01"));
    inCommon.retainAll(new HashSet<>(texts(other, "s_dist_01")));
    assertThat(inCommon).isEmpty();
  }

  @Test
  void unitsOfAWarehouseAreNumberedWithoutGaps() {
    Set<PopulationUnit> units = new HashSet<>();
    for (int index = 0; index < PopulationUnit.PER_WAREHOUSE; index++) {
      units.add(PopulationUnit.ofWarehouse(5, index));
    }
    assertThat(units).hasSize(26);
    assertThatThrownBy(() -> PopulationUnit.ofWarehouse(5, PopulationUnit.PER_WAREHOUSE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theLastHistoryIdOfTheGreatestScaleFitsAnInteger() {
    int last = Population.MOST_WAREHOUSES;
    List<Map<String, String>> rows =
        RecordedRows.of(
            new Population(SEED, last, LOAD_TIME),
            new PopulationUnit(PopulationUnit.UnitKind.CUSTOMER, last, 10),
            PopulationTable.HISTORY);
    assertThat(rows.get(2_999)).containsEntry("hist_id", "2147460000");
  }

  private static List<Map<String, String>> all(
      PopulationUnit.UnitKind kind, PopulationTable table, int warehouse) {
    List<Map<String, String>> rows = new ArrayList<>();
    for (int chunk = 1; chunk <= kind.chunks(); chunk++) {
      rows.addAll(RecordedRows.of(POPULATION, new PopulationUnit(kind, warehouse, chunk), table));
    }
    return rows;
  }

  private static String text(Map<String, String> row, String column) {
    return Objects.requireNonNull(row.get(column), column);
  }

  private static List<String> texts(List<Map<String, String>> rows, String column) {
    return rows.stream().map(row -> text(row, column)).toList();
  }

  private static List<Integer> ints(List<Map<String, String>> rows, String column) {
    return rows.stream().map(row -> Integer.valueOf(text(row, column))).toList();
  }

  private static List<Integer> range(int low, int high) {
    return IntStream.rangeClosed(low, high).boxed().toList();
  }

  private static void assertAllEqual(
      List<Map<String, String>> rows, String column, String expected) {
    assertThat(rows).isNotEmpty().allMatch(row -> expected.equals(text(row, column)));
  }

  private static void assertMatches(List<Map<String, String>> rows, String column, String regex) {
    Pattern pattern = Pattern.compile(regex);
    assertThat(texts(rows, column)).allMatch(text -> pattern.matcher(text).matches());
  }

  /** Exactly the values from low to high, both of them included. */
  private static void assertRange(
      List<Map<String, String>> rows, String column, int low, int high) {
    assertRange(rows, column, low, high, 0);
  }

  /**
   * As above, but the ends may be missed by a little, because there are few rows for each value.
   */
  private static void assertRange(
      List<Map<String, String>> rows, String column, int low, int high, int slack) {
    List<Integer> values = ints(rows, column);
    assertThat(values.stream().mapToInt(v -> v).min().orElseThrow()).isBetween(low, low + slack);
    assertThat(values.stream().mapToInt(v -> v).max().orElseThrow()).isBetween(high - slack, high);
    double mean = values.stream().mapToInt(v -> v).average().orElseThrow();
    assertThat(mean).isBetween(0.47 * (low + high), 0.53 * (low + high));
  }

  /** 4.3.2.2: letters and digits, a letter first; every length of the range is drawn. */
  private static void assertAlphanumeric(
      List<Map<String, String>> rows, String column, int shortest, int longest) {
    assertAlphanumericWithin(rows, column, shortest, longest);
    Set<Integer> lengths = new HashSet<>();
    texts(rows, column).forEach(text -> lengths.add(text.length()));
    assertThat(lengths).hasSize(longest - shortest + 1);
  }

  private static void assertAlphanumericWithin(
      List<Map<String, String>> rows, String column, int shortest, int longest) {
    assertMatches(rows, column, "[A-Za-z][A-Za-z0-9]{%d,%d}".formatted(shortest - 1, longest - 1));
  }

  private static void assertDecimalsWithin(
      List<Map<String, String>> rows, String column, String low, String high) {
    BigDecimal lowest = new BigDecimal(low);
    BigDecimal highest = new BigDecimal(high);
    assertThat(texts(rows, column))
        .map(BigDecimal::new)
        .allMatch(
            value ->
                value.scale() == lowest.scale()
                    && value.compareTo(lowest) >= 0
                    && value.compareTo(highest) <= 0);
  }

  /** Within the range, and both ends are drawn. */
  private static void assertDecimals(
      List<Map<String, String>> rows, String column, String low, String high) {
    assertDecimalsWithin(rows, column, low, high);
    assertThat(texts(rows, column)).contains(low, high);
  }

  /** 4.3.2.7 and the streets, city and state of 4.3.3.1. */
  private static void assertAddress(List<Map<String, String>> rows, String prefix) {
    for (String column : List.of("_street_1", "_street_2", "_city")) {
      assertAlphanumericWithin(rows, prefix + column, 10, 20);
    }
    assertMatches(rows, prefix + "_state", "[A-Z]{2}");
    assertMatches(rows, prefix + "_zip", "\\d{4}11111");
  }

  /** 4.3.3.1: one row in ten holds ORIGINAL, at a place that varies. */
  private static void assertOriginalInTenPercent(List<Map<String, String>> rows, String column) {
    List<String> original =
        texts(rows, column).stream().filter(text -> text.contains("ORIGINAL")).toList();
    assertThat(original.size()).isBetween(rows.size() * 95 / 1_000, rows.size() * 105 / 1_000);
    assertThat(original).anyMatch(text -> text.startsWith("ORIGINAL"));
    assertThat(original).anyMatch(text -> text.endsWith("ORIGINAL"));
  }
}
