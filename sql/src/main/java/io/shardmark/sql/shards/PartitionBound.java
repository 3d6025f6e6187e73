package io.shardmark.sql.shards;

import io.shardmark.sql.hash.PartitionHash;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which values of an integer sharding column a partition takes. */
sealed interface PartitionBound {
  /** True if a row with this value belongs to the partition; a default partition takes any. */
  boolean takes(long key);

  /** {@code WITH (MODULUS m, REMAINDER r)}. */
  record Hash(int modulus, int remainder) implements PartitionBound {
    @Override
    public boolean takes(long key) {
      return PartitionHash.remainder(PartitionHash.ofKey(key), modulus) == remainder;
    }
  }

  /** A range of Citus, of the hash that {@code hashint4} gives; both ends are inside. */
  record HashRange(int least, int most) implements PartitionBound {
    @Override
    public boolean takes(long key) {
      int hash = (int) PartitionHash.hashInt8Extended(key, 0);
      return least <= hash && hash <= most;
    }
  }

  /** {@code IN (...)}; NULL among the values is passed over, since no warehouse is null. */
  record Values(Set<Long> values) implements PartitionBound {
    public Values {
      values = Set.copyOf(values);
    }

    @Override
    public boolean takes(long key) {
      return values.contains(key);
    }
  }

  /** {@code FROM (from) TO (to)}: the first is inside, the second is not, unless there is none. */
  record Range(long from, long to) implements PartitionBound {
    @Override
    public boolean takes(long key) {
      return key >= from && (key < to || to == Long.MAX_VALUE);
    }
  }

  /** {@code DEFAULT}. */
  record Rest() implements PartitionBound {
    @Override
    public boolean takes(long key) {
      return true;
    }
  }

  /** A bound of other types or of several columns. */
  record Unknown(String text) implements PartitionBound {
    @Override
    public boolean takes(long key) {
      return false;
    }
  }

  /** A number as pg_get_expr writes it: bigint in quotes, integer without. */
  Pattern NUMBER = Pattern.compile("'?(-?\\d{1,19})'?");

  Pattern IN = Pattern.compile("for values in \\((.*)\\)");
  Pattern FROM_TO = Pattern.compile("for values from \\(([^(),]+)\\) to \\(([^(),]+)\\)");

  /**
   * Reads what {@code pg_get_expr(relpartbound, oid)} says of a list or range partition.
   *
   * @param text for example {@code FOR VALUES FROM (1) TO (MAXVALUE)}
   */
  static PartitionBound parse(String text) {
    String bound = text.strip().toLowerCase(Locale.ROOT);
    try {
      Matcher in = IN.matcher(bound);
      Matcher fromTo = FROM_TO.matcher(bound);
      if (bound.equals("default")) {
        return new Rest();
      }
      if (in.matches()) {
        return list(in.group(1));
      }
      if (fromTo.matches()) {
        return new Range(number(fromTo.group(1)), number(fromTo.group(2)));
      }
    } catch (NumberFormatException e) {
      // Text, dates and the like: no warehouse is found there.
      return new Unknown(text);
    }
    return new Unknown(text);
  }

  private static PartitionBound list(String elements) {
    Set<Long> values = new HashSet<>();
    for (String element : elements.split(",", -1)) {
      if (!element.strip().equals("null")) {
        values.add(number(element));
      }
    }
    return new Values(values);
  }

  private static long number(String text) {
    String stripped = text.strip();
    if (stripped.equals("minvalue") || stripped.equals("maxvalue")) {
      return stripped.equals("minvalue") ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
    Matcher matcher = NUMBER.matcher(stripped);
    if (!matcher.matches()) {
      throw new NumberFormatException(text);
    }
    return Long.parseLong(matcher.group(1));
  }
}
