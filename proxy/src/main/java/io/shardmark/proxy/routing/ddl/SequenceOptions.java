package io.shardmark.proxy.routing.ddl;

import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * The options of a sequence, dealt to the shards: with n shards and an increment of d, shard i
 * begins at START + i * d and goes on by n * d. So no two shards give the same number, and together
 * they give those that one server would, in another order.
 */
final class SequenceOptions {
  private static final BigInteger ONE = BigInteger.ONE;

  private final DdlText text;
  private final TextEdits cuts = new TextEdits();
  private @Nullable BigInteger increment;
  private @Nullable BigInteger minimum;
  private @Nullable BigInteger maximum;
  private @Nullable BigInteger start;
  private @Nullable BigInteger restart;

  private SequenceOptions(DdlText text) {
    this.text = text;
  }

  /** Reads the options among these tokens. */
  static SequenceOptions read(DdlText text, int from, int to) {
    SequenceOptions options = new SequenceOptions(text);
    text.moveTo(from);
    while (text.at() < to) {
      options.option();
    }
    return options;
  }

  private void option() {
    int from = text.at();
    if (text.accept("increment")) {
      text.accept("by");
      increment = number(from);
    } else if (text.accept("no", "minvalue") || text.accept("no", "maxvalue")) {
      return;
    } else if (text.accept("minvalue")) {
      minimum = number(from);
    } else if (text.accept("maxvalue")) {
      maximum = number(from);
    } else if (text.accept("start")) {
      text.accept("with");
      start = number(from);
    } else if (text.accept("restart")) {
      text.accept("with");
      if (!text.atEnd() && isNumber(text.at())) {
        restart = number(from);
      }
    } else if (text.accept("no", "cycle")) {
      return;
    } else if (text.accept("cycle")) {
      throw new DdlRefusedException(
          "a sequence over several shards cannot cycle", "Make it NO CYCLE, with wider bounds.");
    } else {
      text.moveTo(from + 1);
    }
  }

  private boolean isNumber(int position) {
    return switch (text.token(position).kind()) {
      case INTEGER, NUMBER -> true;
      default -> text.isSymbol(position, "-") || text.isSymbol(position, "+");
    };
  }

  /** Reads a number, and cuts its option out of the text. */
  private @Nullable BigInteger number(int from) {
    boolean negative = text.isSymbol(text.at(), "-");
    if (negative || text.isSymbol(text.at(), "+")) {
      text.moveTo(text.at() + 1);
    }
    if (text.atEnd()) {
      return null;
    }
    int position = text.at();
    text.moveTo(position + 1);
    try {
      BigInteger value = new BigInteger(text.text(position, position + 1));
      cuts.replace(text.start(from), text.end(position), "");
      return negative ? value.negate() : value;
    } catch (NumberFormatException e) {
      throw new DdlRefusedException(
          "a sequence's option " + text.text(from, position + 1) + " is not read as an integer",
          "Write whole decimal numbers.");
    }
  }

  /** What stood for numbers in the text; {@link #dealt} says them anew. */
  TextEdits cuts() {
    return cuts;
  }

  /** The options of a new sequence on one shard, all that {@link #cuts} took out. */
  String dealt(int shard) {
    BigInteger by = increment == null ? ONE : increment;
    BigInteger step = by.multiply(BigInteger.valueOf(text.shards()));
    BigInteger first = first(by).add(by.multiply(BigInteger.valueOf(shard)));
    checkRoom(first);
    return " increment by "
        + step
        + (minimum == null ? "" : " minvalue " + minimum)
        + (maximum == null ? "" : " maxvalue " + maximum)
        + " start with "
        + first;
  }

  /** PostgreSQL's default: the least value going up, the greatest going down. */
  private BigInteger first(BigInteger by) {
    if (start != null) {
      return start;
    }
    if (by.signum() >= 0) {
      return minimum == null ? ONE : minimum;
    }
    return maximum == null ? ONE.negate() : maximum;
  }

  private void checkRoom(BigInteger first) {
    if ((maximum != null && first.compareTo(maximum) > 0)
        || (minimum != null && first.compareTo(minimum) < 0)) {
      throw new DdlRefusedException(
          "the sequence's bounds leave no value for each of " + text.shards() + " shards",
          "Widen MINVALUE and MAXVALUE, or start further from them.");
    }
  }

  /** Whether an ALTER gives numbers that differ between shards. */
  boolean altersNumbers() {
    return increment != null || start != null || restart != null;
  }

  /**
   * The changed options of an existing sequence on one shard. Without an increment in the text the
   * sequence's own is not known here; an offset of the shard's position is enough to keep the
   * shards apart, as every step is a multiple of their number.
   */
  String altered(int shard) {
    if (increment != null && restart == null) {
      throw new DdlRefusedException(
          "a sequence's increment cannot change alone: the shards would give equal numbers",
          "Give RESTART WITH a number above all that are in use, together with INCREMENT BY.");
    }
    BigInteger by = increment == null ? ONE : increment;
    BigInteger offset = by.multiply(BigInteger.valueOf(shard));
    StringBuilder options = new StringBuilder();
    if (increment != null) {
      options.append(" increment by ").append(by.multiply(BigInteger.valueOf(text.shards())));
    }
    append(options, " minvalue ", minimum, BigInteger.ZERO);
    append(options, " maxvalue ", maximum, BigInteger.ZERO);
    append(options, " start with ", start, offset);
    append(options, " restart with ", restart, offset);
    return options.toString();
  }

  private static void append(
      StringBuilder options, String words, @Nullable BigInteger value, BigInteger offset) {
    if (value != null) {
      options.append(words).append(value.add(offset));
    }
  }
}
