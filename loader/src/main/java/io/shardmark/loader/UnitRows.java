package io.shardmark.loader;

import io.shardmark.loader.data.RowWriter;
import io.shardmark.loader.population.LoadUnit;
import io.shardmark.loader.population.Population;
import io.shardmark.loader.population.PopulationTable;
import io.shardmark.loader.population.RowGenerator;
import io.shardmark.loader.writer.UnitWriter;

/** Generates the rows of units into one worker's writer. */
final class UnitRows {
  private final RowGenerator generator;
  private final UnitWriter writer;

  UnitRows(Population population, UnitWriter writer) {
    generator = new RowGenerator(population);
    this.writer = writer;
  }

  /** Writes all tables of a unit and returns the number of rows. */
  long write(LoadUnit unit) {
    long rows = 0;
    for (PopulationTable table : unit.kind().tables()) {
      RowWriter out = writer.start(table);
      int written = generator.write(unit, table, out);
      writer.end(written);
      rows += written;
    }
    return rows;
  }

  /** Writes the rows of bmsql_config. */
  void writeConfig() {
    RowWriter out = writer.start(PopulationTable.CONFIG);
    writer.end(generator.writeConfig(out));
  }
}
