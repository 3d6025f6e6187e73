package io.shardmark.driver.verify;

import io.shardmark.driver.results.Texts;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Prints what a verification found, and decides the exit status. */
public final class VerifyTable {
  private VerifyTable() {}

  /**
   * One line for each condition, below it the reason and the sample rows, and a closing line.
   *
   * @param out borrowed, not closed
   */
  public static void print(List<ConditionResult> results, PrintStream out) {
    int width = results.stream().mapToInt(r -> r.clause().length()).max().orElse(0);
    for (ConditionResult result : results) {
      out.printf(
          Locale.ROOT,
          "%-5s  %-" + Math.max(width, 1) + "s  %8.3f s  %s%n",
          result.verdict().label(),
          result.clause(),
          result.duration().toNanos() / 1e9,
          result.sentence());
      if (!result.reason().isEmpty()) {
        out.printf("       %s%n", result.reason());
      }
      printSamples(result, out);
    }
    out.println(summary(results));
  }

  private static void printSamples(ConditionResult result, PrintStream out) {
    if (result.offendingRows() == 0) {
      return;
    }
    out.printf(
        "       %s%n", Texts.plural(result.offendingRows(), "row breaks it", "rows break it"));
    for (String sample : result.samples()) {
      out.printf("         %s%n", sample);
    }
    if (result.offendingRows() > result.samples().size()) {
      out.println("         ...");
    }
  }

  private static String summary(List<ConditionResult> results) {
    return "%d conditions: %d pass, %d fail, %d not applicable, %d with errors"
        .formatted(
            results.size(),
            count(results, Verdict.PASS),
            count(results, Verdict.FAIL),
            count(results, Verdict.NOT_APPLICABLE),
            count(results, Verdict.ERROR));
  }

  private static long count(List<ConditionResult> results, Verdict verdict) {
    return results.stream().filter(result -> result.verdict() == verdict).count();
  }

  /**
   * @return 0 if every condition passes or is not applicable, 1 if any fails or could not be
   *     checked
   */
  public static int exitStatus(List<ConditionResult> results) {
    return count(results, Verdict.FAIL) + count(results, Verdict.ERROR) == 0 ? 0 : 1;
  }
}
