package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.sql.Span;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * {@code WITH (shard = n)} and {@code WITH (shard = all)}, which are taken out of the text: n is a
 * position in the configuration, from 1, or a shard's name. Without it a partition's bound decides.
 */
final class DdlPlacement {
  static final int ALL = -1;

  private final DdlText text;
  private final TextEdits cuts = new TextEdits();
  private @Nullable Integer shard;

  DdlPlacement(DdlText text) {
    this.text = text;
  }

  /** What the servers must not see. */
  TextEdits cuts() {
    return cuts;
  }

  /** A shard's index, {@link #ALL}, or null if the text does not say. */
  @Nullable Integer shard() {
    return shard;
  }

  /** {@code WITH (options)}; the position is that of WITH. Returns the token after it. */
  int options(int with) {
    int open = with + 1;
    int after = text.afterParentheses(open);
    List<Span> parts = text.parts(open);
    for (int i = 0; i < parts.size(); i++) {
      Span part = parts.get(i);
      if (!text.isWord(part.from(), "shard") || !text.isSymbol(part.from() + 1, "=")) {
        continue;
      }
      shard = shard(part.from() + 2);
      if (parts.size() == 1) {
        cuts.replace(text.start(with), text.end(after - 1), "");
      } else if (i == 0) {
        cuts.replace(text.start(part.from()), text.start(parts.get(1).from()), "");
      } else {
        cuts.replace(text.end(parts.get(i - 1).to() - 1), text.end(part.to() - 1), "");
      }
    }
    return after;
  }

  private int shard(int position) {
    String value = text.text(position, position + 1);
    if (value.equalsIgnoreCase("all")) {
      return ALL;
    }
    int named = text.shardNames().indexOf(text.token(position).text());
    String quoted = text.string(position);
    if (named < 0 && quoted != null) {
      named = text.shardNames().indexOf(quoted);
    }
    if (named < 0 && value.matches("\\d{1,6}") && Integer.parseInt(value) <= text.shards()) {
      named = Integer.parseInt(value) - 1;
    }
    if (named < 0) {
      throw new DdlRefusedException(
          "there is no shard " + value + " among " + text.shards(),
          "Shards are numbered from 1 in the order of the configuration; their names can be given"
              + " too.");
    }
    return named;
  }

  /**
   * The shard of a partition that is not placed by hand: of a remainder r it is r modulo the number
   * of shards; of another bound one that depends on its text only, so that tables with the same
   * bounds are placed alike; of DEFAULT the first.
   *
   * @param bound position of FOR or DEFAULT
   */
  static int ofBound(DdlText text, int bound) {
    if (text.isWord(bound, "default")) {
      return 0;
    }
    int values = bound + 2;
    CRC32 hash = new CRC32();
    int depth = 0;
    for (int i = values; i < text.end(); i++) {
      if (text.isWord(i, "remainder") && !text.done()) {
        String number = text.text(i + 1, i + 2);
        if (number.matches("\\d{1,9}")) {
          return Integer.parseInt(number) % text.shards();
        }
      }
      depth += text.isSymbol(i, "(") ? 1 : text.isSymbol(i, ")") ? -1 : 0;
      String word = text.token(i).isName() ? text.token(i).text() : text.text(i, i + 1);
      hash.update(word.getBytes(StandardCharsets.UTF_8));
      // FROM (..) TO (..) goes on after its first parenthesis.
      if (depth == 0 && text.isSymbol(i, ")") && !text.isWord(i + 1, "to")) {
        break;
      }
    }
    return (int) (hash.getValue() % text.shards());
  }
}
