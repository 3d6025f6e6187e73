package io.shardmark.driver.compare.html;

import io.shardmark.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A page and the files that stand beside it under the same name: in the end all of them are there,
 * or what was there before.
 */
final class PageSet {
  private static final String SUFFIX = ".html";
  private static final int HEAD_BYTES = 4096;

  private final String what;
  private final List<String> marks;
  private final List<Path> files = new ArrayList<>();

  /**
   * Files that may be written: none of another kind is in their places.
   *
   * @param what the page is, for messages
   * @param html where the page goes
   * @param suffixes of the files, the page's included
   * @param marks one of which stands at the beginning of a file that may be replaced
   * @throws ConfigException if the name does not do, or another file is in the way
   */
  PageSet(String what, Path html, List<String> suffixes, List<String> marks) throws IOException {
    this.what = what;
    this.marks = List.copyOf(marks);
    String name = String.valueOf(html.getFileName());
    if (!name.endsWith(SUFFIX) || name.equals(SUFFIX)) {
      throw new ConfigException("--output " + html + ": expected a name that ends in .html");
    }
    Path parent = html.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new ConfigException("--output " + html + ": its directory does not exist");
    }
    String stem = name.substring(0, name.length() - SUFFIX.length());
    for (String suffix : suffixes) {
      Path file = html.resolveSibling(stem + suffix);
      checkReplaceable(file);
      files.add(file);
    }
  }

  /** What a page says that was made by that generator. */
  static String markOfPage(String generator) {
    return "<meta name=\"generator\" content=\"" + generator + "\">";
  }

  /** What a file for programs of that schema says. */
  static String markOfJson(String schema) {
    return "\"schema\" : \"" + schema + "\"";
  }

  /**
   * A file that this program wrote may be replaced; a page, a note or a data set of someone else
   * may not.
   */
  private void checkReplaceable(Path file) throws IOException {
    if (Files.exists(file) && !(Files.isRegularFile(file) && isMarked(file))) {
      throw new ConfigException(
          file + ": is there and is no " + what + "; expected another --output or no such file");
    }
  }

  private boolean isMarked(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      String head = new String(in.readNBytes(HEAD_BYTES), StandardCharsets.UTF_8);
      return marks.stream().anyMatch(head::contains);
    }
  }

  /**
   * Writes all of them.
   *
   * @param contents of each, in the order of the suffixes
   * @return the files
   */
  List<Path> write(List<String> contents) throws IOException {
    Map<Path, Path> finished = new LinkedHashMap<>();
    files.forEach(file -> finished.put(file.resolveSibling(file.getFileName() + ".new"), file));
    try {
      int next = 0;
      for (Path temporary : finished.keySet()) {
        Files.writeString(temporary, contents.get(next++));
      }
      for (Map.Entry<Path, Path> move : finished.entrySet()) {
        Files.move(move.getKey(), move.getValue(), StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      for (Path temporary : finished.keySet()) {
        Files.deleteIfExists(temporary);
      }
    }
    return List.copyOf(files);
  }
}
