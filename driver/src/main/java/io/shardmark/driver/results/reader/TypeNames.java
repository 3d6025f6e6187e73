package io.shardmark.driver.results.reader;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers for the names of transaction types, TPC-C's first. Of names that no summary has at most
 * {@value #MOST}: a file full of other things must not fill the memory.
 */
final class TypeNames {
  static final int MOST = 32;
  private static final int LONGEST = 64;

  private final Map<String, Integer> numbers = new LinkedHashMap<>();

  /** Names of the summary's types: however many and long they are, each has a number. */
  private final Set<String> declared;

  TypeNames(Set<String> declared) {
    this.declared = declared;
    BenchmarkSqlResult.typeNames().forEach(this::add);
  }

  List<String> names() {
    return List.copyOf(numbers.keySet());
  }

  private int add(String name) {
    return numbers.computeIfAbsent(name, unused -> numbers.size());
  }

  /**
   * The number of a name, given out if it is new; -1 if there are too many or it is too long, which
   * one of the summary never is.
   */
  int index(String name) {
    boolean fits = numbers.size() < MOST && !name.isEmpty() && name.length() <= LONGEST;
    return fits || declared.contains(name) ? add(name) : numbers.getOrDefault(name, -1);
  }
}
