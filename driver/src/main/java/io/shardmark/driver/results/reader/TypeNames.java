package io.shardmark.driver.results.reader;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Numbers for the names of transaction types, TPC-C's first. At most {@value #MOST}: a file full of
 * other things must not fill the memory.
 */
final class TypeNames {
  static final int MOST = 32;
  private static final int LONGEST = 64;

  private final List<String> names = new ArrayList<>();
  private final List<byte[]> bytes = new ArrayList<>();

  TypeNames() {
    BenchmarkSqlResult.typeNames().forEach(this::add);
  }

  private int add(String name) {
    names.add(name);
    bytes.add(name.getBytes(StandardCharsets.UTF_8));
    return names.size() - 1;
  }

  List<String> names() {
    return List.copyOf(names);
  }

  /** The number of a name, given out if it is new; -1 if there are too many or it is too long. */
  int index(String name) {
    int known = names.indexOf(name);
    if (known >= 0) {
      return known;
    }
    return names.size() == MOST || name.isEmpty() || name.length() > LONGEST ? -1 : add(name);
  }

  /** The number of the name in a field. */
  int index(CsvRows rows, int column) {
    for (int i = 0; i < bytes.size(); i++) {
      if (rows.isText(column, bytes.get(i))) {
        return i;
      }
    }
    return index(rows.text(column));
  }
}
