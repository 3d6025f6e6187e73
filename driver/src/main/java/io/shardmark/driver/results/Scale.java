package io.shardmark.driver.results;

/**
 * How large the data of a run was.
 *
 * @param name what is counted, in the plural, as the benchmark calls it
 * @param number how many of them the run used; 0 if not known
 */
public record Scale(String name, int number) {
  public static final Scale UNKNOWN = new Scale("", 0);
}
