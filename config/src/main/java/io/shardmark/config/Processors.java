package io.shardmark.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Processors that threads are bound to, by number. Immutable.
 *
 * @param numbers in the order in which threads get them; empty: threads are bound to none
 */
public record Processors(List<Integer> numbers) {
  /** Threads run where the operating system puts them. */
  public static final Processors ANY = new Processors(List.of());

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final String ALLOWED = "Cpus_allowed_list:";
  private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

  public Processors {
    numbers = List.copyOf(numbers);
  }

  /**
   * Numbers and ranges, such as {@code 2,4-7}, all of them usable by this process.
   *
   * @throws IllegalArgumentException that says what was expected
   */
  public static Processors parse(String text) {
    if (!Files.isReadable(STATUS)) {
      throw new IllegalArgumentException("Linux: elsewhere threads cannot be bound to processors");
    }
    String allowed = allowed();
    List<Integer> asked = numbers(text);
    if (asked.isEmpty() || !numbers(allowed).containsAll(asked)) {
      throw new IllegalArgumentException(
          "processors that this process may use, %s, such as 0 or 0,2-3".formatted(allowed));
    }
    return new Processors(asked);
  }

  /** Empty if the text is no list. */
  private static List<Integer> numbers(String text) {
    BitSet found = new BitSet();
    for (String part : text.strip().split("\\s*,\\s*", -1)) {
      var range = RANGE.matcher(part);
      if (!range.matches()) {
        return List.of();
      }
      int first = Integer.parseInt(range.group(1));
      int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
      if (last < first) {
        return List.of();
      }
      found.set(first, last + 1);
    }
    return found.stream().boxed().toList();
  }

  /** Those that this process was started on; its first thread is never bound. */
  private static String allowed() {
    try {
      return Files.readAllLines(STATUS).stream()
          .filter(line -> line.startsWith(ALLOWED))
          .map(line -> line.substring(ALLOWED.length()).strip())
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("a kernel that has " + ALLOWED));
    } catch (IOException e) {
      throw new IllegalArgumentException("%s that can be read".formatted(STATUS), e);
    }
  }

  public boolean areAny() {
    return numbers.isEmpty();
  }

  /** The other processors of this process; all of them if none is left. */
  List<Integer> others() {
    List<Integer> all = numbers(allowed());
    List<Integer> left = all.stream().filter(one -> !numbers.contains(one)).toList();
    return left.isEmpty() ? all : left;
  }
}
