package io.shardmark.proxy.shardmap;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rule of a varchar(n) column. A text that is stored there loses the blanks at its end that are
 * too many (PG18 §8.3 datatype-character), before its partition is looked for; as a value to
 * compare with it finds no row either way.
 *
 * @param rule of the values that are stored
 * @param length n, in characters
 */
public record LimitedTextRule(PartitionRule rule, int length) implements PartitionRule {
  @Override
  public int shardOf(@Nullable Object key) {
    return rule.shardOf(key instanceof String text ? stored(text) : key);
  }

  private String stored(String text) {
    int end = text.length();
    if (end > length) {
      int characters = text.codePointCount(0, end);
      while (characters > length && text.charAt(end - 1) == ' ') {
        characters--;
        end--;
      }
    }
    return text.substring(0, end);
  }

  @Override
  public PartitionRule ofStored() {
    return rule;
  }

  @Override
  public String strategy() {
    return rule.strategy();
  }

  @Override
  public List<PartitionRule.RulePlacement> placements() {
    return rule.placements();
  }
}
