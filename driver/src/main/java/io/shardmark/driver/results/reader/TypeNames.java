package io.shardmark.driver.results.reader;

import java.util.ArrayList;
import java.util.List;

/**
 * Numbers for the names of transaction types, TPC-C's first. At most {@value #MOST}: a file full of
 * other things must not fill the memory.
 */
final class TypeNames {
  static final int MOST = 32;
  private static final int LONGEST = 64;

  private final List<String> names = new ArrayList<>(BenchmarkSqlResult.typeNames());

  List<String> names() {
    return List.copyOf(names);
  }

  /** The number of a name, given out if it is new; -1 if there are too many or it is too long. */
  int index(String name) {
    boolean isNew = !names.contains(name);
    if (isNew && names.size() < MOST && !name.isEmpty() && name.length() <= LONGEST) {
      names.add(name);
    }
    return names.indexOf(name);
  }
}
