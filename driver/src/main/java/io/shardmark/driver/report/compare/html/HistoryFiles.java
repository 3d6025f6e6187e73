package io.shardmark.driver.report.compare.html;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.shardmark.driver.report.compare.CompareArgument;
import io.shardmark.driver.report.compare.History;
import io.shardmark.driver.report.html.PageFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Writes a history as page and JSON: two files of one name. */
public final class HistoryFiles {
  private static final String GENERATOR = "Shardmark history";
  private static final String SCHEMA = "shardmark-history";
  private static final int VERSION = 1;

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
          .enable(SerializationFeature.INDENT_OUTPUT);

  private HistoryFiles() {}

  /** The file for programs: the model itself, under its schema. */
  private record Document(String schema, int schemaVersion, History history) {}

  /**
   * Reads, puts in order and writes. Either both files are there in the end or what was there
   * before.
   *
   * @param arguments result directories, or directories that hold some
   * @param html where the page goes; the JSON file stands beside it
   * @param title empty for the systems' names
   * @return page and JSON
   * @throws io.shardmark.config.ConfigException if something named cannot be used
   */
  public static List<Path> write(List<CompareArgument> arguments, Path html, Optional<String> title)
      throws IOException {
    List<String> marks = List.of(PageSet.markOfPage(GENERATOR), "\"schema\" : \"" + SCHEMA + "\"");
    PageSet files = new PageSet("history", html, List.of(".html", ".json"), marks);
    History history = History.read(arguments, title);
    return files.write(
        List.of(
            file -> PageFile.write(new HistoryPage(history).build(), GENERATOR, file),
            file -> MAPPER.writeValue(file.toFile(), new Document(SCHEMA, VERSION, history))));
  }
}
