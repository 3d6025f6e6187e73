package io.shardmark.driver.results;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What limited a run.
 *
 * @param sentence the limit, in words
 * @param uses what was used how much, and what sessions did, in an order for readers
 */
public record Bottleneck(String sentence, List<ResourceUse> uses) {
  public Bottleneck {
    uses = List.copyOf(uses);
  }

  /**
   * @param what a resource, or what sessions did
   * @param share 0 .. 1: of the resource, or of the time that sessions spent in transactions; null
   *     if it is no share, or not known
   * @param text figures for people, or why there are none
   */
  public record ResourceUse(String what, @Nullable Double share, String text) {}
}
