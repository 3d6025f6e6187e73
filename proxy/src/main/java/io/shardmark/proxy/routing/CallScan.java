package io.shardmark.proxy.routing;

import java.util.Set;

/** Finds function calls in ranges of tokens. */
final class CallScan {
  private static final Set<String> NO_FUNCTIONS =
      Set.of(
          ("in any some all array row values exists and or not when then else case"
                  + " between symmetric like ilike similar to is select from where having by"
                  + " limit offset union except intersect join lateral set returning"
                  + " distinct with conflict into default escape materialized table on using"
                  + " filter over group as operator rows cube rollup sets cast coalesce"
                  + " greatest least nullif extract overlay position substring trim treat"
                  + " normalize collation grouping xmlelement xmlforest xmlconcat xmlparse"
                  + " xmlpi xmlroot xmlserialize xmlattributes xmlexists xmltable numeric"
                  + " decimal dec varchar character char bit varying bpchar timestamp"
                  + " timestamptz time timetz interval float second for only fetch first"
                  + " next isnull notnull do update key end")
              .split(" ", -1));

  private CallScan() {}

  /** Whether a call starts at this token: a name, not a word of the grammar, and a parenthesis. */
  static boolean isCall(TokenRange tokens, int i) {
    Token token = tokens.at(i);
    if (!token.isName() || !tokens.symbol(i + 1, "(")) {
      return false;
    }
    if (tokens.symbol(i - 1, "::") || tokens.word(i - 1, "as")) {
      return false; // a type with a modifier
    }
    boolean grammar =
        token.kind() == Token.Kind.WORD
            && NO_FUNCTIONS.contains(token.text())
            && !tokens.symbol(i - 1, ".");
    return !grammar;
  }

  /** Whether the word stands in the range, at any depth. */
  static boolean hasWord(TokenRange tokens, int from, int to, String word) {
    for (int i = from; i < to; i++) {
      if (tokens.word(i, word)) {
        return true;
      }
    }
    return false;
  }

  static boolean hasDistinctOn(TokenRange tokens) {
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.word(i, "distinct") && tokens.word(i + 1, "on") && tokens.symbol(i + 2, "(")) {
        return true;
      }
    }
    return false;
  }

  /** Whether the name stands in the range, quoted or not. */
  static boolean hasName(TokenRange tokens, int from, int to, String name) {
    for (int i = from; i < to; i++) {
      if (tokens.at(i).isName() && tokens.at(i).text().equals(name)) {
        return true;
      }
    }
    return false;
  }
}
