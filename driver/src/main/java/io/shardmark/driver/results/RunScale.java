package io.shardmark.driver.results;

/**
 * How large the data of a run was.
 *
 * @param name what is counted, in the plural, as the benchmark calls it
 * @param number how many of them the run used; 0 if not known
 */
public record RunScale(String name, int number) {
  /** TPC-C 4.2: the most New-Orders per minute that the ten terminals of a unit reach. */
  public static final double MOST_HEADLINE_PER_UNIT = 12.86;

  public static final RunScale UNKNOWN = new RunScale("", 0);

  /** The name that follows the number: of one in the singular. */
  public String noun() {
    return number == 1 ? singular() : name;
  }

  /** The name of one of them. */
  public String singular() {
    return name.endsWith("s")
        ? name.substring(0, name.length() - (name.endsWith("ches") ? 2 : 1))
        : name;
  }
}
