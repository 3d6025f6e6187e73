package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;
import io.shardmark.proxy.shardmap.ShardMap.NameSpace;
import io.shardmark.proxy.sql.Name;
import io.shardmark.proxy.sql.Span;
import io.shardmark.proxy.sql.Token;
import io.shardmark.proxy.sql.Token.TokenKind;
import java.util.List;
import java.util.Locale;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** CREATE and ALTER SEQUENCE, and {@code SELECT setval(...)}. */
final class Sequences {
  /** The whole name of a sequence, as every shard knows it. */
  private static final String NAME_OF =
      "(select pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)"
          + " from pg_catalog.pg_class c join pg_catalog.pg_namespace n on n.oid = c.relnamespace"
          + " where c.oid = %s)";

  private Sequences() {}

  /** After CREATE [UNLOGGED] SEQUENCE. */
  static StatementPlan create(DdlText text) {
    boolean ifMissing = text.take("if", "not", "exists");
    Name name = text.path();
    if (name == null || text.shards() == 1) {
      return text.everywhere(DdlKind.OTHER);
    }
    text.changes(name);
    if (ifMissing) {
      new ClaimedName(text, NameSpace.RELATIONS, text.created(name)).placeIfMissing(-1);
    }
    SequenceOptions options = SequenceOptions.read(text, text.at(), text.end());
    return perShard(text, name, options, options::dealt, DdlKind.SCHEMA);
  }

  private static StatementPlan perShard(
      DdlText text, Name name, SequenceOptions options, IntFunction<String> own, DdlKind kind) {
    return text.perShard(
        shard ->
            options
                .cuts()
                .with(new TextEdits().insert(name.end(), own.apply(shard)))
                .apply(text.sql()),
        kind);
  }

  /** After ALTER SEQUENCE. */
  static StatementPlan alter(DdlText text) {
    text.take("if", "exists");
    Name name = text.path();
    if (name == null || text.shards() == 1) {
      return text.everywhere(DdlKind.OTHER);
    }
    if (text.onlyShard(name) >= 0) {
      return text.where(name, DdlKind.SCHEMA);
    }
    if (text.isWord(text.at(), "rename") || text.isWord(text.at(), "set")) {
      text.changes(name);
      return text.everywhere(DdlKind.SCHEMA);
    }
    SequenceOptions options = SequenceOptions.read(text, text.at(), text.end());
    return options.dependOnIncrement()
        ? text.perShard(
            shard -> shard == 0 ? text.sql() : stepped(text, name, options, shard), DdlKind.OTHER)
        : perShard(text, name, options, options::altered, DdlKind.OTHER);
  }

  /** START or RESTART without INCREMENT: the sequence itself knows how far apart shards are. */
  private static String stepped(DdlText text, Name name, SequenceOptions options, int shard) {
    String sequence = literal(text.sql().substring(name.start(), name.end()));
    String step =
        "coalesce((select seqincrement / %d from pg_catalog.pg_sequence where seqrelid ="
                .formatted(text.shards())
            + " pg_catalog.to_regclass("
            + sequence
            + ")), 1)";
    String cut = options.cuts().apply(text.sql()); // cuts are after the name
    return "do $shardmark$ begin execute "
        + literal(cut.substring(0, name.end()))
        + options.stepped(shard, step)
        + " || "
        + literal(cut.substring(name.end()))
        + "; end $shardmark$";
  }

  private static String literal(String value) {
    return "'" + value.replace("'", "''") + "'";
  }

  /**
   * {@code SELECT setval(sequence, value [, called]) [[AS] label] [FROM ...]}, if this is all that
   * the statement says, and the sequence is named by constants.
   *
   * @return null if it is something else
   */
  static @Nullable StatementPlan setval(DdlText text) {
    text.moveTo(1);
    text.take("pg_catalog", ".");
    if (!text.take("setval") || !text.isSymbol(text.at(), "(")) {
      return null;
    }
    int open = text.at();
    List<Span> arguments = text.parts(open);
    text.moveTo(text.afterParentheses(open));
    boolean labelled = text.take("as") || (text.peek().isName() && !text.sees("from"));
    String label = labelled ? text.name() : "setval";
    boolean wrong = !text.done() && !text.sees("from");
    if (wrong || arguments.size() < 2 || arguments.size() > 3) {
      return null;
    }
    boolean parameters = has(text, token -> token.kind() == TokenKind.PARAMETER);
    if (parameters && (!text.done() || has(text, token -> token.isWord("from")))) {
      return null;
    }
    Span name = arguments.get(0);
    if (!isConstant(text, name, parameters)) {
      return null;
    }
    String sequence = "(" + text.text(name.from(), name.to()) + ")::pg_catalog.regclass";
    Span value = arguments.get(1);
    String called =
        arguments.size() == 2
            ? "true"
            : text.text(arguments.get(2).from(), arguments.get(2).to()).toLowerCase(Locale.ROOT);
    boolean fixed = called.equals("true") || called.equals("false");
    if (fixed && text.done() && !parameters) {
      StatementPlan.SetSequence alone = ofSubquery(text, sequence, value, called, label);
      if (alone != null) {
        return alone;
      }
    }
    // Takes what setval takes: no numeric.
    String query =
        "select pg_catalog.int8up(%s)::pg_catalog.text || (%s)::pg_catalog.bool::pg_catalog.text %s"
            .formatted(text.text(value.from(), value.to()), called, text.rest());
    if (!parameters) {
      return new StatementPlan.SetSequence(sequence, query.strip(), "", "", label);
    }
    String named = query.strip() + ", " + NAME_OF.formatted(sequence);
    return new StatementPlan.SetSequence("", named, "", "", label);
  }

  /** Whose value is a subquery, or {@code coalesce} of one and a number: it is a query itself. */
  private static StatementPlan.@Nullable SetSequence ofSubquery(
      DdlText text, String sequence, Span value, String called, String label) {
    Span query = value;
    String otherwise = "";
    if (text.isWord(value.from(), "coalesce")
        && text.isSymbol(value.from() + 1, "(")
        && text.afterParentheses(value.from() + 1) == value.to()) {
      List<Span> parts = text.parts(value.from() + 1);
      Span last = parts.get(parts.size() - 1);
      if (parts.size() != 2
          || last.size() != 1
          || text.token(last.from()).kind() != TokenKind.INTEGER) {
        return null;
      }
      query = parts.get(0);
      otherwise = text.text(last.from(), last.to());
    }
    boolean subquery =
        text.isSymbol(query.from(), "(")
            && text.isWord(query.from() + 1, "select")
            && text.afterParentheses(query.from()) == query.to();
    return subquery
        ? new StatementPlan.SetSequence(
            sequence, text.text(query.from() + 1, query.to() - 1), called, otherwise, label)
        : null;
  }

  private static boolean has(DdlText text, Predicate<Token> what) {
    return text.tokens().tokens().stream().anyMatch(what);
  }

  /** Strings, casts to regclass, and pg_get_serial_sequence of strings: the same on each shard. */
  private static boolean isConstant(DdlText text, Span span, boolean parameters) {
    for (int i = span.from(); i < span.to(); i++) {
      Token token = text.token(i);
      boolean name =
          token.isWord("pg_catalog")
              || token.isWord("regclass")
              || token.isWord("text")
              || token.isWord("pg_get_serial_sequence");
      if (!name
          && token.kind() != TokenKind.STRING
          && token.kind() != TokenKind.PUNCTUATION
          && !(parameters && token.kind() == TokenKind.PARAMETER)
          && !token.isSymbol("::")) {
        return false;
      }
    }
    return true;
  }
}
