package io.shardmark.proxy.routing;

import io.shardmark.proxy.protocol.PgType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** PREPARE and EXECUTE in SQL (PG18 sql-prepare, sql-execute). */
final class PrepareCommands {
  /** What SQL calls types besides their names in pg_type. */
  private static final Map<String, PgType> TYPES =
      Map.ofEntries(
          Map.entry("boolean", PgType.BOOL),
          Map.entry("bigint", PgType.INT8),
          Map.entry("smallint", PgType.INT2),
          Map.entry("int", PgType.INT4),
          Map.entry("integer", PgType.INT4),
          Map.entry("real", PgType.FLOAT4),
          Map.entry("float", PgType.FLOAT8),
          Map.entry("double precision", PgType.FLOAT8),
          Map.entry("character varying", PgType.VARCHAR),
          Map.entry("timestamp without time zone", PgType.TIMESTAMP),
          Map.entry("timestamp with time zone", PgType.TIMESTAMPTZ),
          Map.entry("decimal", PgType.NUMERIC));

  private PrepareCommands() {}

  /**
   * @throws SyntaxException if the statement is not understood
   */
  static StatementPlan plan(String sql, List<Token> tokens) {
    Words words = new Words(sql, tokens);
    return words.take().isWord("prepare") ? prepare(words) : execute(words);
  }

  private static StatementPlan prepare(Words words) {
    String name = words.name();
    List<Integer> types = new ArrayList<>();
    if (words.take("(")) {
      do {
        String type = type(words);
        PgType known = TYPES.getOrDefault(type, PgType.named(type));
        if (known == null) {
          return new StatementPlan.Refused(
              "PREPARE over several shards does not know the parameter type " + type,
              "Leave the type out, and cast the parameter in the statement.");
        }
        types.add(known.oid());
      } while (words.take(","));
      if (!words.take(")")) {
        throw new SyntaxException("PREPARE with a list of types");
      }
    }
    if (name.isEmpty() || !words.take("as")) {
      throw new SyntaxException("PREPARE");
    }
    return new StatementPlan.Prepare(name, types, words.rest());
  }

  /** A type's name; PostgreSQL drops the length or precision of a parameter's type too. */
  private static String type(Words words) {
    StringBuilder type = new StringBuilder();
    while (!words.done() && !words.peek().isSymbol(",") && !words.peek().isSymbol(")")) {
      if (words.take("(")) {
        while (!words.done() && !words.take(")")) {
          words.take();
        }
        continue;
      }
      String part = words.raw().toLowerCase(Locale.ROOT);
      boolean word = Character.isLetterOrDigit(part.charAt(0));
      type.append(word && type.length() > 0 ? " " : "").append(part);
    }
    return type.toString();
  }

  private static StatementPlan execute(Words words) {
    String name = words.name();
    if (name.isEmpty()) {
      throw new SyntaxException("EXECUTE");
    }
    List<@Nullable String> values = new ArrayList<>();
    Set<Integer> numbers = new HashSet<>();
    if (words.take("(")) {
      do {
        int sign = words.peek().isSymbol("-") ? 1 : 0;
        if (words.peek(sign).kind() == Token.Kind.NUMBER) {
          numbers.add(values.size());
        }
        if (!value(words, values)) {
          return new StatementPlan.Refused(
              "EXECUTE over several shards takes literals only",
              "Write numbers, strings, NULL, TRUE or FALSE as its arguments.");
        }
      } while (words.take(","));
      if (!words.take(")")) {
        return new StatementPlan.Refused(
            "EXECUTE over several shards takes literals only",
            "Write numbers, strings, NULL, TRUE or FALSE as its arguments.");
      }
    }
    if (!words.done()) {
      throw new SyntaxException("EXECUTE");
    }
    return new StatementPlan.Execute(
        name, Collections.unmodifiableList(values), Set.copyOf(numbers));
  }

  /** Takes one literal; false: it is something else. */
  private static boolean value(Words words, List<@Nullable String> values) {
    boolean negative = words.take("-");
    Token token = words.peek();
    String text = null;
    switch (token.kind()) {
      case INTEGER -> text = new BigInteger(words.raw()).toString();
      case NUMBER -> {
        text = words.raw();
        if (!text.matches("[0-9]+\\.[0-9]+")) {
          return false;
        }
      }
      case STRING -> {
        if (negative) {
          return false;
        }
        text = words.value();
      }
      case WORD -> {
        boolean truth = token.isWord("true") || token.isWord("false");
        if (negative || !(truth || token.isWord("null"))) {
          return false;
        }
        words.take();
        text = truth ? token.text() : null;
      }
      default -> {
        return false;
      }
    }
    values.add(negative ? "-" + text : text);
    return words.peek().isSymbol(",") || words.peek().isSymbol(")");
  }
}
