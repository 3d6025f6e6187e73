package io.shardmark.proxy.catalog;

import io.shardmark.proxy.routing.SqlLexer;
import io.shardmark.proxy.routing.Token;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A BEFORE ROW trigger on INSERT or UPDATE: what it returns is stored, on the shard that the row
 * came to before (PG18 §41.10.1 plpgsql-dml-trigger).
 *
 * @param language of its function
 * @param source of its function
 * @param arguments that CREATE TRIGGER gives it
 */
record RowTrigger(String name, String language, String source, String arguments) {
  private static final Set<String> BEFORE_A_TARGET =
      Set.of("into", "strict", "for", "foreach", "diagnostics");

  private static final Set<String> BEFORE_A_STATEMENT = Set.of("begin", "then", "else", "loop");

  /** Whether its text leaves open that rows are stored with another value of that column. */
  boolean mayChange(String column) {
    return switch (language) {
      case "plpgsql" -> assigns(column);
      // Libraries' own, such as moddatetime: they change columns that they are told.
      case "c", "internal" -> arguments.contains(column);
      default ->
          source.toLowerCase(Locale.ROOT).contains(column.toLowerCase(Locale.ROOT))
              || arguments.contains(column);
    };
  }

  private boolean assigns(String column) {
    List<Token> tokens = SqlLexer.tokens(source);
    boolean calls = has(tokens, "call");
    boolean diagnostics = has(tokens, "diagnostics");
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).isWord("return") && !returnsRow(tokens, i)) {
        return true;
      }
      if (tokens.get(i).kind() == Token.Kind.OTHER_STRING
          || tokens.get(i).kind() == Token.Kind.UNTERMINATED) {
        return true; // perhaps a name in another spelling
      }
      if (isNew(tokens, i)) {
        boolean whole = !isSymbol(tokens, i + 1, ".");
        boolean concerned = whole || name(tokens, i + 2).equals(column);
        int end = whole ? i + 1 : i + 3;
        if (concerned
            && (calls || isTarget(tokens, i, end) || (diagnostics && isSymbol(tokens, end, "=")))) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean has(List<Token> tokens, String word) {
    return tokens.stream().anyMatch(token -> token.isWord(word));
  }

  private static boolean isNew(List<Token> tokens, int i) {
    return name(tokens, i).equals("new") && !isSymbol(tokens, i - 1, ".");
  }

  /** Whether it returns the row as it is now, the one before, or none. */
  private static boolean returnsRow(List<Token> tokens, int i) {
    return Set.of("new", "old", "null").contains(name(tokens, i + 1))
        && isSymbol(tokens, i + 2, ";");
  }

  /** Whether something is stored in what stands between two tokens. */
  private static boolean isTarget(List<Token> tokens, int from, int end) {
    if (isSymbol(tokens, end, ":=") || isSymbol(tokens, end, "[")) {
      return true;
    }
    boolean begins =
        from == 0
            || isSymbol(tokens, from - 1, ";")
            || isSymbol(tokens, from - 1, ">>")
            || BEFORE_A_STATEMENT.contains(name(tokens, from - 1));
    if (begins && isSymbol(tokens, end, "=")) {
      return true;
    }
    int i = from - 1;
    while (isSymbol(tokens, i, ",") && !name(tokens, i - 1).isEmpty()) { // a list behind INTO
      i -= 2;
      while (isSymbol(tokens, i, ".")) {
        i -= 2;
      }
    }
    return BEFORE_A_TARGET.contains(name(tokens, i));
  }

  private static boolean isSymbol(List<Token> tokens, int i, String symbol) {
    return i >= 0 && i < tokens.size() && tokens.get(i).isSymbol(symbol);
  }

  /** The name that the token is, or "". */
  private static String name(List<Token> tokens, int i) {
    return i >= 0 && i < tokens.size() && tokens.get(i).isName() ? tokens.get(i).text() : "";
  }
}
