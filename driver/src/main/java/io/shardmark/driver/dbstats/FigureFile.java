package io.shardmark.driver.dbstats;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code db_stats.csv}: run, elapsed, then for each counter its increase since the row before, and
 * the levels as they are. The first reading decides the columns; a figure that is missing later is
 * an empty field. One thread.
 */
final class FigureFile implements AutoCloseable {
  private static final String NAME = "db_stats.csv";

  private final int run;
  private final Writer writer;
  private @Nullable List<String> columns;

  FigureFile(int run, Path directory) throws IOException {
    this.run = run;
    this.writer = Files.newBufferedWriter(directory.resolve(NAME), StandardCharsets.US_ASCII);
  }

  void header(Reading first) throws IOException {
    if (columns != null) {
      return;
    }
    columns = new ArrayList<>(first.counters().keySet());
    columns.addAll(first.levels().keySet());
    List<String> fields = new ArrayList<>(List.of("run", "elapsed"));
    fields.addAll(columns);
    line(fields);
  }

  void row(long elapsedMillis, Map<String, Long> increases, Reading reading) throws IOException {
    if (columns == null) {
      throw new IllegalStateException("a row before the header");
    }
    List<String> fields = new ArrayList<>();
    fields.add(Integer.toString(run));
    fields.add(Long.toString(elapsedMillis));
    for (String column : columns) {
      Long value = increases.getOrDefault(column, reading.levels().get(column));
      fields.add(value == null ? "" : value.toString());
    }
    line(fields);
  }

  private void line(List<String> fields) throws IOException {
    writer.write(String.join(",", fields));
    writer.write('\n');
    writer.flush();
  }

  @Override
  public void close() throws IOException {
    writer.close();
  }
}
