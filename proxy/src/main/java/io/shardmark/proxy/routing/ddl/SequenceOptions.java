package io.shardmark.proxy.routing.ddl;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a sequence, dealt to the shards: with n shards and an increment of d, shard i
 * begins at START + i * d and goes on by n * d. So no two shards give the same number, and together
 * they give those that one server would, in another order.
 */
final class SequenceOptions {
  private static final String INCREMENT = "increment";
  private static final String START = "start";
  private static final String RESTART = "restart";
  private static final String LEAST = "minvalue";
  private static final String GREATEST = "maxvalue";

  private final DdlText text;
  private final TextEdits cuts = new TextEdits();
  private final Map<String, BigInteger> numbers = new HashMap<>();

  private SequenceOptions(DdlText text) {
    this.text = text;
  }

  /** Reads the options among these tokens. */
  static SequenceOptions read(DdlText text, int from, int to) {
    SequenceOptions options = new SequenceOptions(text);
    text.moveTo(from);
    while (text.at() < to) {
      int option = text.at();
      String word = text.token(option).text();
      text.moveTo(option + 1);
      switch (word) {
        case "no" -> text.moveTo(option + 2);
        case "cycle" ->
            throw new DdlRefusedException(
                "a sequence over several shards cannot cycle",
                "Make it NO CYCLE, with wider bounds.");
        case INCREMENT, START, RESTART, LEAST, GREATEST -> options.number(word, option);
        default -> {}
      }
    }
    return options;
  }

  /** Reads a number if there is one, and cuts what differs between shards out of the text. */
  private void number(String word, int option) {
    text.takeAny("by", "with");
    boolean negative = text.take("-");
    if (!negative) {
      text.take("+");
    }
    int position = text.at();
    String digits = text.done() ? "" : text.text(position, position + 1);
    if (digits.isEmpty() || !Character.isDigit(digits.charAt(0))) {
      return;
    }
    text.moveTo(position + 1);
    try {
      BigInteger value = new BigInteger(digits);
      numbers.put(word, negative ? value.negate() : value);
    } catch (NumberFormatException e) {
      throw new DdlRefusedException(
          "a sequence's option " + text.text(option, position + 1) + " is not read as an integer",
          "Write whole decimal numbers.");
    }
    if (!word.equals(LEAST) && !word.equals(GREATEST)) {
      cuts.replace(text.start(option), text.end(position), "");
    }
  }

  /** What stood in the text for numbers that differ between shards. */
  TextEdits cuts() {
    return cuts;
  }

  private BigInteger increment() {
    return numbers.getOrDefault(INCREMENT, BigInteger.ONE);
  }

  /** Where a new sequence begins: PostgreSQL's default is its end on the side it comes from. */
  private BigInteger first() {
    boolean up = increment().signum() >= 0;
    BigInteger end = numbers.getOrDefault(up ? LEAST : GREATEST, BigInteger.valueOf(up ? 1 : -1));
    return numbers.getOrDefault(START, end);
  }

  /** The options of a new sequence on one shard. */
  String dealt(int shard) {
    return step() + " start with " + forShard(first(), shard);
  }

  private String step() {
    return " increment by " + increment().multiply(BigInteger.valueOf(text.shards()));
  }

  private BigInteger forShard(BigInteger value, int shard) {
    return value.add(increment().multiply(BigInteger.valueOf(shard)));
  }

  /** Whether an ALTER gives numbers that differ between shards. */
  boolean altersNumbers() {
    return !cuts.isEmpty();
  }

  /** Whether what a shard is sent depends on the increment that the sequence has already. */
  boolean dependOnIncrement() {
    return !numbers.containsKey(INCREMENT)
        && (numbers.containsKey(START) || numbers.containsKey(RESTART));
  }

  /** What an expression adds for a shard to START and RESTART; begins and ends outside a string. */
  String stepped(int shard, String step) {
    StringBuilder all = new StringBuilder();
    for (String word : new String[] {START, RESTART}) {
      BigInteger value = numbers.get(word);
      if (value != null) {
        all.append(
            " || ' %s with ' || (%s::numeric + %d * %s)".formatted(word, value, shard, step));
      }
    }
    return all.toString();
  }

  /** The changed options of an existing sequence on one shard. */
  String altered(int shard) {
    boolean grows = numbers.containsKey(INCREMENT);
    if (grows && !numbers.containsKey(RESTART)) {
      throw new DdlRefusedException(
          "a sequence's increment cannot change alone: the shards would give equal numbers",
          "Give RESTART WITH a number above all that are in use, together with INCREMENT BY.");
    }
    return (grows ? step() : "") + altered(START, shard) + altered(RESTART, shard);
  }

  private String altered(String word, int shard) {
    @Nullable BigInteger value = numbers.get(word);
    return value == null ? "" : " " + word + " with " + forShard(value, shard);
  }
}
