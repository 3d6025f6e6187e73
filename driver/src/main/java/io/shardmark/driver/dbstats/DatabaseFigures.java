package io.shardmark.driver.dbstats;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the server counted over an interval, for {@code summary.json}. Counters such as {@code
 * xact_commit} or {@code wal_bytes} are the increase, over a restart of the server too; levels such
 * as {@code lock_waiters_max} the greatest value seen at a reading; {@code relation_bytes} the size
 * at the end and {@code relation_bytes_increase} its growth (negative if it shrank). The figures
 * hold the whole server or database, so also what others did there, and the readings' own few
 * statements.
 *
 * @param values by name; empty if the server offers none
 * @param notes one line for each group of figures that could not be had
 */
public record DatabaseFigures(SortedMap<String, Long> values, List<String> notes) {
  public DatabaseFigures {
    values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    notes = List.copyOf(notes);
  }
}
