package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** CREATE and ALTER SEQUENCE, and {@code SELECT setval(...)}. */
final class Sequences {
  private Sequences() {}

  /** After CREATE [UNLOGGED] SEQUENCE. */
  static StatementPlan create(DdlText text) {
    text.take("if", "not", "exists");
    Name name = text.path();
    if (name == null || text.shards() == 1) {
      return text.everywhere(DdlKind.OTHER);
    }
    SequenceOptions options = SequenceOptions.read(text, text.at(), text.end());
    return perShard(text, name, options, options::dealt);
  }

  private static StatementPlan perShard(
      DdlText text, Name name, SequenceOptions options, IntFunction<String> own) {
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
    text.take("if", "exists");
    Name name = text.path();
    if (name == null || text.shards() == 1 || text.isWord(text.at(), "rename")) {
      return text.everywhere(DdlKind.OTHER);
    }
    SequenceOptions options = SequenceOptions.read(text, text.at(), text.end());
    return perShard(text, name, options, options::altered);
  }

  /**
   * {@code SELECT setval('name', value [, called])}, if this is all that the statement says.
   *
   * @return null if it is something else
   */
  static @Nullable StatementPlan setval(DdlText text) {
    text.moveTo(1);
    if (text.take("pg_catalog")) {
      text.take(".");
    }
    if (!text.take("setval") || !text.isSymbol(text.at(), "(")) {
      return null;
    }
    int open = text.at();
    int close = text.afterParentheses(open) - 1;
    var arguments = text.parts(open);
    if (close != text.end() - 1 || arguments.size() < 2 || arguments.size() > 3) {
      return null;
    }
    String sequence = sequence(text, arguments.get(0));
    String value = value(text, arguments.get(1));
    if (sequence == null || value == null) {
      return null;
    }
    boolean called = true;
    if (arguments.size() == 3) {
      Span flag = arguments.get(2);
      if (flag.to() != flag.from() + 1
          || !(text.isWord(flag.from(), "true") || text.isWord(flag.from(), "false"))) {
        return null;
      }
      called = text.isWord(flag.from(), "true");
    }
    return new StatementPlan.SetSequence(sequence, value, called);
  }

  private static @Nullable String sequence(DdlText text, Span part) {
    boolean cast =
        part.to() == part.from() + 3
            && text.isSymbol(part.from() + 1, "::")
            && text.isWord(part.from() + 2, "regclass");
    return part.to() == part.from() + 1 || cast ? text.string(part.from()) : null;
  }

  /** As a query of its own: a number, NULL, or what stands in the parentheses of a subquery. */
  private static @Nullable String value(DdlText text, Span part) {
    if (text.isSymbol(part.from(), "(")
        && text.isWord(part.from() + 1, "select")
        && text.afterParentheses(part.from()) == part.to()) {
      return text.text(part.from() + 1, part.to() - 1);
    }
    if (part.to() == part.from() + 1 && text.isWord(part.from(), "null")) {
      return "select null";
    }
    int digits = text.isSymbol(part.from(), "-") ? part.from() + 1 : part.from();
    return part.to() == digits + 1 && text.text(digits, part.to()).matches("\\d+")
        ? "select " + text.text(part.from(), part.to())
        : null;
  }
}
