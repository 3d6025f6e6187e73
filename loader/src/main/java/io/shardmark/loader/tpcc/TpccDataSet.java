package io.shardmark.loader.tpcc;

import io.shardmark.config.ConfigException;
import io.shardmark.loader.data.DataSet;
import io.shardmark.loader.data.DataTable;
import io.shardmark.loader.data.LoadUnit;
import io.shardmark.loader.data.Origin;
import io.shardmark.loader.data.RowSource;
import io.shardmark.loader.data.RowWriter;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The population of TPC-C 4.3.3: the items, then warehouse by warehouse. {@code bmsql_config} is
 * filled last. The process that has warehouse 1 loads the items.
 */
public final class TpccDataSet implements DataSet {
  private static final int ITEM_UNITS = PopulationUnit.UnitKind.ITEM.chunks();

  /** About this many rows has a warehouse: stock, customers, history, orders, lines, the rest. */
  private static final long ROWS_PER_WAREHOUSE = 499_011;

  private final int warehouses;
  private final int from;
  private final int to;

  /**
   * @param warehouses the scale, from 1
   * @param from first warehouse that this process loads
   * @param to last one
   * @throws ConfigException if more warehouses are asked for than history ids can count
   */
  public TpccDataSet(int warehouses, int from, int to) {
    if (warehouses > Population.MOST_WAREHOUSES) {
      throw new ConfigException(
          "warehouses=%d: at most %d, because bmsql_history.hist_id is an integer"
              .formatted(warehouses, Population.MOST_WAREHOUSES));
    }
    this.warehouses = warehouses;
    this.from = from;
    this.to = to;
  }

  @Override
  public String size() {
    return size(Integer.toString(warehouses));
  }

  private static String size(String count) {
    return count.equals("1") ? "1 warehouse" : count + " warehouses";
  }

  @Override
  public Map<String, String> parameters() {
    return Map.of("warehouses", Integer.toString(warehouses));
  }

  @Override
  public List<DataTable> tables() {
    return Stream.of(PopulationTable.values()).map(PopulationTable::table).toList();
  }

  @Override
  public Optional<DataTable> lastTable() {
    return Optional.of(PopulationTable.CONFIG.table());
  }

  @Override
  public int unitCount() {
    return ITEM_UNITS + warehouses * PopulationUnit.PER_WAREHOUSE;
  }

  @Override
  public LoadUnit unit(int number) {
    return populationUnit(number).loadUnit(number);
  }

  private static PopulationUnit populationUnit(int number) {
    if (number < ITEM_UNITS) {
      return new PopulationUnit(PopulationUnit.UnitKind.ITEM, 0, number + 1);
    }
    int inWarehouses = number - ITEM_UNITS;
    return PopulationUnit.ofWarehouse(
        inWarehouses / PopulationUnit.PER_WAREHOUSE + 1,
        inWarehouses % PopulationUnit.PER_WAREHOUSE);
  }

  private static int firstUnitOf(int warehouse) {
    return ITEM_UNITS + (warehouse - 1) * PopulationUnit.PER_WAREHOUSE;
  }

  @Override
  public int firstUnit() {
    return from == 1 ? 0 : firstUnitOf(from);
  }

  @Override
  public int endUnit() {
    return firstUnitOf(to + 1);
  }

  @Override
  public Map<String, String> part() {
    Map<String, String> part = new LinkedHashMap<>();
    if (from != 1 || to != warehouses) {
      part.put("warehouseFrom", Integer.toString(from));
      part.put("warehouseTo", Integer.toString(to));
    }
    return part;
  }

  @Override
  public long expectedRows(int firstUnit, int endUnit) {
    long warehouseUnits = (long) endUnit - Math.max(firstUnit, ITEM_UNITS);
    return warehouseUnits * ROWS_PER_WAREHOUSE / PopulationUnit.PER_WAREHOUSE
        + (firstUnit == 0 ? PopulationUnit.ITEMS : 0);
  }

  @Override
  public String partitionName(int partition) {
    return partition == 0 ? "ITEM" : "Warehouse %6d".formatted(partition);
  }

  @Override
  public Optional<String> loadedSize(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "select cfg_value from bmsql_config where cfg_name = 'warehouses'")) {
      return row.next() ? Optional.of(size(row.getString(1))) : Optional.empty();
    }
  }

  @Override
  public String namePrefix() {
    return "bmsql";
  }

  @Override
  public RowSource rows(Origin origin) {
    RowGenerator generator =
        new RowGenerator(new Population(origin.seed(), warehouses, origin.loadTime()));
    return new RowSource() {
      @Override
      public int write(LoadUnit unit, DataTable table, RowWriter out) {
        return generator.write(populationUnit(unit.number()), PopulationTable.of(table), out);
      }

      @Override
      public int writeLast(RowWriter out) {
        return generator.writeConfig(out);
      }
    };
  }

  @Override
  public Optional<Partitioning> partitioning() {
    return Optional.of(
        new Partitioning(PopulationTable.WAREHOUSE.table().name(), "warehouse", warehouses));
  }

  @Override
  public String journalTable() {
    return "bmsql_load_progress";
  }
}
