package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** CREATE and ALTER SEQUENCE, and {@code SELECT setval(...)}. */
final class Sequences {
  private Sequences() {}

  /** After CREATE [UNLOGGED] SEQUENCE. */
  static StatementPlan create(DdlText text) {
    text.accept("if", "not", "exists");
    DdlText.Name name = text.name();
    if (name == null || text.shards() == 1) {
      return text.everywhere(DdlKind.OTHER);
    }
    SequenceOptions options = SequenceOptions.read(text, text.at(), text.size());
    return perShard(text, name, options, options::dealt);
  }

  private static StatementPlan perShard(
      DdlText text, DdlText.Name name, SequenceOptions options, IntFunction<String> own) {
    return text.perShard(
        shard ->
            options
                .cuts()
                .with(new TextEdits().insert(name.end(), own.apply(shard)))
                .apply(text.sql()),
        DdlKind.OTHER);
  }

  /** After ALTER SEQUENCE. */
  static StatementPlan alter(DdlText text) {
    text.accept("if", "exists");
    DdlText.Name name = text.name();
    if (name == null || text.shards() == 1 || text.isWord(text.at(), "rename")) {
      return text.everywhere(DdlKind.OTHER);
    }
    SequenceOptions options = SequenceOptions.read(text, text.at(), text.size());
    return perShard(text, name, options, options::altered);
  }

  /**
   * {@code SELECT setval('name', value [, called])}, if this is all that the statement says.
   *
   * @return null if it is something else
   */
  static @Nullable StatementPlan setval(DdlText text) {
    text.moveTo(1);
    if (text.accept("pg_catalog")) {
      text.accept(".");
    }
    if (!text.accept("setval") || !text.isSymbol(text.at(), "(")) {
      return null;
    }
    int open = text.at();
    int close = text.afterParentheses(open) - 1;
    var arguments = text.parts(open + 1, close);
    if (close != text.size() - 1 || arguments.size() < 2 || arguments.size() > 3) {
      return null;
    }
    String sequence = sequence(text, arguments.get(0));
    String value = value(text, arguments.get(1));
    if (sequence == null || value == null) {
      return null;
    }
    boolean called = true;
    if (arguments.size() == 3) {
      int[] flag = arguments.get(2);
      if (flag[1] != flag[0] + 1
          || !(text.isWord(flag[0], "true") || text.isWord(flag[0], "false"))) {
        return null;
      }
      called = text.isWord(flag[0], "true");
    }
    return new StatementPlan.SetSequence(sequence, value, called);
  }

  private static @Nullable String sequence(DdlText text, int[] part) {
    boolean cast =
        part[1] == part[0] + 3
            && text.isSymbol(part[0] + 1, "::")
            && text.isWord(part[0] + 2, "regclass");
    return part[1] == part[0] + 1 || cast ? text.string(part[0]) : null;
  }

  /** As a query of its own: a number, NULL, or what stands in the parentheses of a subquery. */
  private static @Nullable String value(DdlText text, int[] part) {
    if (text.isSymbol(part[0], "(")
        && text.isWord(part[0] + 1, "select")
        && text.afterParentheses(part[0]) == part[1]) {
      return text.text(part[0] + 1, part[1] - 1);
    }
    if (part[1] == part[0] + 1 && text.isWord(part[0], "null")) {
      return "select null";
    }
    int digits = text.isSymbol(part[0], "-") ? part[0] + 1 : part[0];
    return part[1] == digits + 1 && text.text(digits, part[1]).matches("\\d+")
        ? "select " + text.text(part[0], part[1])
        : null;
  }
}
