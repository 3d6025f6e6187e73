package io.shardmark.config;

import static io.shardmark.config.TpccKey.WAREHOUSES;
import static io.shardmark.config.TpccKey.WAREHOUSE_FROM;
import static io.shardmark.config.TpccKey.WAREHOUSE_TO;

/** The scale and this process' part of it, for the loader and the driver alike. */
record WarehouseRange(int warehouses, int from, int to) {
  static WarehouseRange read(PropertyReader reader) {
    int warehouses = reader.requiredInteger(WAREHOUSES);
    int from = reader.integer(WAREHOUSE_FROM, 1, warehouses, 1);
    int to = reader.integer(WAREHOUSE_TO, from, warehouses, warehouses);
    return new WarehouseRange(warehouses, from, to);
  }

  /** True if the file gives a part; otherwise it is for several drivers to divide the whole. */
  static boolean isGiven(PropertyReader reader) {
    return reader.has(WAREHOUSE_FROM) || reader.has(WAREHOUSE_TO);
  }
}
