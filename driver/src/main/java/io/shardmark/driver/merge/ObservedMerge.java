package io.shardmark.driver.merge;

import io.shardmark.driver.recorder.ResultDirectory;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What the observers of several drivers saw, side by side: it is not a sum. In all files {@code
 * elapsed} begins with the common start; what a driver saw while it waited for the others is left
 * out.
 *
 * <p>{@code client.csv} has the rows of all drivers, with a column that says whose. The server's
 * figures are those of driver 0, who alone asked. Files of the operating system are there once for
 * each machine: driver 0's as they are called, those of another machine with the driver in their
 * name.
 */
record ObservedMerge(PartSet set, Path into, Consumer<String> warn) {
  private static final String CLIENT = "client.csv";
  private static final String OF_MACHINES = "{db_stats,sys_info,blk_*,net_*}.csv";

  /** After run and elapsed. */
  private static final int DRIVER_COLUMN = 2;

  /**
   * Reads all files to their ends. What is wrong in one of them costs its later rows, not the
   * result.
   *
   * @param warn receives one line for each thing that is missing
   */
  static void merge(PartSet set, ResultDirectory into, Consumer<String> warn) throws IOException {
    ObservedMerge merge = new ObservedMerge(set, into.data(), warn);
    merge.mergeClients();
    merge.copyOthers();
  }

  private void mergeClients() throws IOException {
    try (MergedRows merged = new MergedRows()) {
      MergedRows.PartRows first = null;
      for (MergedPart part : set.parts()) {
        MergedRows.PartRows rows = merged.addObserved(part, part.data().resolve(CLIENT), warn);
        if (!merged.has(rows)) {
          warn.accept(
              "%s: data/client.csv has no rows: what driver %d used over time is missing"
                  .formatted(part.directory(), part.index()));
        } else if (first == null) {
          first = rows;
        } else if (!rows.csv.header().equals(first.csv.header())) {
          merged.leaveOut(rows);
          warn.accept(
              "%s: data/client.csv has other columns than that of driver %d and is left out"
                  .formatted(part.directory(), first.part.index()));
        }
      }
      if (first != null) {
        write(
            CLIENT,
            withDriver(first.csv.header(), "driver"),
            merged,
            row -> withDriver(row.fields(), Integer.toString(row.part.index())));
      }
    }
  }

  private static List<String> withDriver(List<String> fields, String driver) {
    List<String> more = new ArrayList<>(fields);
    more.add(DRIVER_COLUMN, driver);
    return more;
  }

  private void copyOthers() throws IOException {
    Set<String> machines = new HashSet<>();
    for (MergedPart part : set.parts()) {
      String machine = part.totals().machineId();
      if (!machine.isEmpty() && !machines.add(machine)) {
        continue; // another driver saw the same
      }
      try (DirectoryStream<Path> found = Files.newDirectoryStream(part.data(), OF_MACHINES)) {
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

  private void copy(MergedPart part, Path file, String name) throws IOException {
    try (MergedRows rows = new MergedRows()) {
      List<String> header = rows.addObserved(part, file, warn).csv.header();
      write(name, header, rows, MergedRows.PartRows::fields);
    }
  }

  private void write(
      String name,
      List<String> header,
      MergedRows rows,
      Function<MergedRows.PartRows, List<String>> fields)
      throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(into.resolve(name), StandardCharsets.UTF_8)) {
      out.write(String.join(",", header) + "\n");
      rows.forEach(row -> out.write(String.join(",", fields.apply(row)) + "\n"));
    }
  }
}
