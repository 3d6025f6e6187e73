package io.shardmark.driver.merge;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.merge.PartSet.Part;
import io.shardmark.driver.result.ResultDirectory;
import io.shardmark.driver.results.reader.CsvRows;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * What the observers of several drivers saw, put beside each other: it is not a sum. In all files
 * {@code elapsed} begins with the common start; what a driver saw while it waited for the others is
 * left out.
 *
 * <p>{@code client.csv} has the rows of all drivers, with a column that says whose. The server's
 * figures are those of driver 0, who alone asked. Files of the operating system are there once for
 * each machine: driver 0's as they are called, those of another machine with the driver in their
 * name.
 */
final class ObservedMerge {
  private static final String CLIENT = "client.csv";
  private static final String DATABASE = "db_stats.csv";
  private static final String SYSTEM = "{sys_info,blk_*,net_*}.csv";
  private static final String ELAPSED = "elapsed";
  private static final int ELAPSED_COLUMN = 1;

  private final PartSet set;
  private final Path into;
  private final Consumer<String> warn;

  private ObservedMerge(PartSet set, Path into, Consumer<String> warn) {
    this.set = set;
    this.into = into;
    this.warn = warn;
  }

  /**
   * Reads all files to their ends. What is wrong in one of them costs its later rows, not the
   * result.
   *
   * @param warn receives one line for each thing that is missing
   */
  static void merge(PartSet set, ResultDirectory into, Consumer<String> warn) throws IOException {
    ObservedMerge merge = new ObservedMerge(set, into.data(), warn);
    merge.mergeClients();
    merge.copyDatabase();
    merge.copySystems();
  }

  /** The rows of one driver's file, on the time of all. */
  private final class Rows implements AutoCloseable {
    private final CsvRows cursor;
    final Part part;
    long elapsed;
    private boolean ended;

    Rows(Part part, Path file) throws IOException {
      this.part = part;
      cursor = CsvRows.openWhole(file);
      boolean own =
          cursor.header().size() > ELAPSED_COLUMN
              && cursor.header().get(ELAPSED_COLUMN).equals(ELAPSED);
      ended = !own;
      settle();
    }

    boolean isAtEnd() {
      return ended || !cursor.isAtRow();
    }

    List<String> columns() {
      return cursor.header();
    }

    List<String> fields() {
      List<String> fields = new ArrayList<>(cursor.fields());
      fields.set(ELAPSED_COLUMN, Long.toString(elapsed));
      return fields;
    }

    void next() throws IOException {
      try {
        cursor.next();
      } catch (ConfigException e) {
        endAt(e);
      }
      settle();
    }

    /** Goes on to the first row from after the start. */
    private void settle() throws IOException {
      long before = Math.round(part.totals().driver().observedBeforeMillis());
      try {
        while (!isAtEnd()) {
          elapsed = cursor.whole(ELAPSED_COLUMN) - before;
          if (elapsed > 0) {
            return;
          }
          cursor.next();
        }
      } catch (ConfigException e) {
        endAt(e);
      }
    }

    private void endAt(ConfigException fault) {
      ended = true;
      warn.accept(fault.getMessage() + ": its later rows are missing");
    }

    @Override
    public void close() throws IOException {
      cursor.close();
    }
  }

  private void mergeClients() throws IOException {
    List<Rows> open = new ArrayList<>();
    try {
      PriorityQueue<Rows> queue =
          new PriorityQueue<>(
              Comparator.<Rows>comparingLong(rows -> rows.elapsed)
                  .thenComparingInt(rows -> rows.part.index()));
      for (Part part : set.parts()) {
        Rows rows = new Rows(part, data(part).resolve(CLIENT));
        open.add(rows);
        if (rows.isAtEnd()) {
          warn.accept(
              "%s: data/client.csv has no rows: what driver %d used over time is missing"
                  .formatted(part.directory(), part.index()));
        } else if (!rows.columns().equals(open.get(0).columns())) {
          warn.accept(
              "%s: data/client.csv has other columns than that of driver %d and is left out"
                  .formatted(part.directory(), set.first().index()));
        } else {
          queue.add(rows);
        }
      }
      if (!queue.isEmpty()) {
        writeClients(open.get(0).columns(), queue);
      }
    } finally {
      for (Rows rows : open) {
        rows.close();
      }
    }
  }

  private void writeClients(List<String> columns, PriorityQueue<Rows> queue) throws IOException {
    try (BufferedWriter out = writer(CLIENT)) {
      write(out, withDriver(columns, "driver"));
      while (!queue.isEmpty()) {
        Rows rows = queue.remove();
        write(out, withDriver(rows.fields(), Integer.toString(rows.part.index())));
        rows.next();
        if (!rows.isAtEnd()) {
          queue.add(rows);
        }
      }
    }
  }

  private static List<String> withDriver(List<String> fields, String driver) {
    List<String> more = new ArrayList<>(fields);
    more.add(ELAPSED_COLUMN + 1, driver);
    return more;
  }

  private void copyDatabase() throws IOException {
    Path file = data(set.first()).resolve(DATABASE);
    if (Files.isRegularFile(file)) {
      copy(set.first(), file, DATABASE);
    }
  }

  private void copySystems() throws IOException {
    Set<String> machines = new HashSet<>();
    for (Part part : set.parts()) {
      String machine = part.totals().machineId();
      if (!machine.isEmpty() && !machines.add(machine)) {
        continue; // another driver saw the same
      }
      try (DirectoryStream<Path> found = Files.newDirectoryStream(data(part), SYSTEM)) {
        Set<Path> files = new TreeSet<>();
        found.forEach(files::add);
        for (Path file : files) {
          String name = String.valueOf(file.getFileName());
          copy(
              part,
              file,
              part.index() == set.first().index() ? name : ofDriver(name, part.index()));
        }
      }
    }
  }

  private static String ofDriver(String name, int index) {
    return "%s_driver%d.csv".formatted(name.substring(0, name.length() - ".csv".length()), index);
  }

  private void copy(Part part, Path file, String name) throws IOException {
    try (Rows rows = new Rows(part, file);
        BufferedWriter out = writer(name)) {
      write(out, rows.columns());
      while (!rows.isAtEnd()) {
        write(out, rows.fields());
        rows.next();
      }
    }
  }

  private BufferedWriter writer(String name) throws IOException {
    return Files.newBufferedWriter(into.resolve(name), StandardCharsets.UTF_8);
  }

  private static void write(BufferedWriter out, List<String> fields) throws IOException {
    out.write(String.join(",", fields));
    out.write('\n');
  }

  private static Path data(Part part) {
    return part.directory().resolve("data");
  }
}
