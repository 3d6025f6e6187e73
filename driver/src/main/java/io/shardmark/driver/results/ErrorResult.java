package io.shardmark.driver.results;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Errors of one class: raised by the database or the driver, tried again or not.
 *
 * @param disposition what failed, such as {@code DEADLOCK}
 * @param sqlState may be empty
 * @param count raised in the measurement interval
 * @param retried of those, after which the transaction was tried again
 * @param outside raised in the ramp-up or after the interval
 * @param examples the first distinct texts
 */
public record ErrorResult(
    String type,
    String disposition,
    String sqlState,
    long count,
    long retried,
    long outside,
    List<Example> examples) {
  public ErrorResult {
    examples = List.copyOf(examples);
  }

  /** With others of the same class, and the examples that were seen first. */
  public ErrorResult plus(ErrorResult other, int mostExamples) {
    Set<String> texts = new HashSet<>();
    return new ErrorResult(
        type,
        disposition,
        sqlState,
        count + other.count,
        retried + other.retried,
        outside + other.outside,
        other.examples.isEmpty()
            ? examples
            : Stream.concat(examples.stream(), other.examples.stream())
                .sorted(Comparator.comparingLong(Example::firstSeenMillis))
                .filter(example -> texts.add(example.message()))
                .limit(mostExamples)
                .toList());
  }

  /**
   * One text of a class.
   *
   * @param message first line, cut to a bounded length
   * @param firstSeenMillis when, from the start of the measurement interval; negative in the
   *     ramp-up
   */
  public record Example(String message, long firstSeenMillis) {}
}
