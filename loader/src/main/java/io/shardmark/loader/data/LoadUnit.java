package io.shardmark.loader.data;

import java.util.List;

/**
 * A piece of a data set that is generated, written and committed as a whole. Immutable.
 *
 * @param number its place in the order of the load, from 0
 * @param name unique in its data set, at most 40 ASCII characters: the journal of an interrupted
 *     load has it
 * @param partition value of the column by which the data set's tables are partitioned, from 1; 0
 *     for rows that belong to none, or if the data set says of no column
 * @param tables that it fills, in the order in which they are written
 */
public record LoadUnit(int number, String name, int partition, List<DataTable> tables) {
  public LoadUnit {
    tables = List.copyOf(tables);
  }
}
