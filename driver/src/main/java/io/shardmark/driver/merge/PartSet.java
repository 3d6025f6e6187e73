package io.shardmark.driver.merge;

import io.shardmark.config.ConfigException;
import io.shardmark.driver.recorder.ResultDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Result directories of several drivers that belong together, in the order of the drivers. */
public record PartSet(List<MergedPart> parts) {
  public PartSet {
    parts = List.copyOf(parts);
  }

  /**
   * Reads what the drivers kept and checks that it can be added.
   *
   * @throws ConfigException if a directory is not one driver's result, or if they are not of one
   *     run
   */
  public static PartSet read(List<Path> directories) throws IOException {
    List<MergedPart> parts = new ArrayList<>();
    for (Path directory : directories) {
      if (!Files.isDirectory(directory)) {
        throw new ConfigException(directory + ": no such result directory");
      }
      parts.add(TotalsFile.read(directory));
    }
    if (parts.isEmpty()) {
      throw new ConfigException("nothing to merge: expected the result directories of the drivers");
    }
    parts.sort(Comparator.comparingInt(MergedPart::index));
    for (int i = 1; i < parts.size(); i++) {
      check(parts.get(0), parts.get(i));
      checkRanges(parts.get(i), parts.subList(0, i));
    }
    return new PartSet(parts);
  }

  /**
   * Reads those of the drivers' results in a directory that were written to their end.
   *
   * @param whole the directory in whose {@code drivers} they are
   * @throws ConfigException as {@link #read}
   */
  public static PartSet readWritten(Path whole) throws IOException {
    List<Path> written = new ArrayList<>();
    for (Path directory : ResultDirectory.partsOf(whole)) {
      if (TotalsFile.isIn(directory)) {
        written.add(directory);
      }
    }
    return read(written);
  }

  private static void check(MergedPart a, MergedPart b) {
    if (!a.drivers().group().equals(b.drivers().group())
        || a.drivers().count() != b.drivers().count()) {
      throw unlike(a, b, "were not started together: expected results of one run");
    }
    if (!a.result().run().product().equals(b.result().run().product())) {
      throw unlike(
          a,
          b,
          "are of %s and %s: expected one version"
              .formatted(a.result().run().product(), b.result().run().product()));
    }
    long lengthA = a.totals().statistics().interval().lengthNanos();
    long lengthB = b.totals().statistics().interval().lengthNanos();
    if (lengthA != lengthB) {
      throw unlike(
          a,
          b,
          "measured %.6f s and %.6f s: expected the same interval"
              .formatted(lengthA / 1e9, lengthB / 1e9));
    }
    if (!a.typeNames().equals(b.typeNames())) {
      throw unlike(a, b, "have unlike transaction types");
    }
    if (!a.auditRules().equals(b.auditRules())) {
      throw unlike(a, b, "have unlike rules of the input audit");
    }
  }

  private static void checkRanges(MergedPart part, List<MergedPart> before) {
    for (MergedPart other : before) {
      if (part.index() == other.index()) {
        throw unlike(other, part, "are both of driver " + part.index());
      }
      var a = other.driver();
      var b = part.driver();
      int all = part.result().scale().number();
      // Two that both have all of it are of a benchmark whose drivers share it.
      boolean shared = a.range().equals(b.range()) && a.from() == 1 && a.to() == all;
      if (!shared && a.from() <= b.to() && b.from() <= a.to()) {
        throw unlike(
            other,
            part,
            "overlap: %s %s and %s".formatted(part.result().scale().name(), a.range(), b.range()));
      }
    }
  }

  private static ConfigException unlike(MergedPart a, MergedPart b, String how) {
    return new ConfigException("%s and %s %s".formatted(a.directory(), b.directory(), how));
  }

  MergedPart first() {
    return parts.get(0);
  }

  /** How many drivers the run had. */
  int drivers() {
    return first().drivers().count();
  }
}
