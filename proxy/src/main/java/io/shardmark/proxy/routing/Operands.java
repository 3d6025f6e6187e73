package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Scope.Found;
import io.shardmark.proxy.routing.Token.Kind;
import io.shardmark.proxy.shardmap.KeyType;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Recognises the few operands a route is read from: columns, and values of a key's type. */
final class Operands {
  private static final Set<String> INTEGER_TYPES =
      Set.of("int integer bigint smallint int2 int4 int8".split(" ", -1));
  private static final Set<String> TEXT_TYPES = Set.of("text", "varchar");

  private final TokenRange tokens;
  private final boolean literalsAreParameters;
  private final Set<Integer> typedParameters = new HashSet<>();
  private boolean signedLiteral;

  /**
   * @param literals whether literals are values of later executions ({@link
   *     KeyExpression.Parameter}, counted over the whole text) or constants
   */
  Operands(TokenRange tokens, LiteralUse literals) {
    this.tokens = tokens;
    this.literalsAreParameters = literals == LiteralUse.PARAMETERS;
  }

  /** What a literal is to a plan. */
  enum LiteralUse {
    CONSTANTS,
    PARAMETERS
  }

  TokenRange tokens() {
    return tokens;
  }

  /** Tokens of parameters whose type is certainly the key's, by what they are compared with. */
  Set<Integer> typedParameters() {
    return typedParameters;
  }

  /** A literal with a sign or in a sum was a key, which a parameter's value cannot give. */
  boolean hasSignedLiteral() {
    return signedLiteral;
  }

  /** {@code name}, {@code table.name} or {@code schema.table.name}. */
  @Nullable Found column(int from, int to, Scope scope) {
    int start = tokens.stripFrom(from, to);
    int end = to - (start - from);
    int length = end - start;
    if (length < 1 || length > 5 || length % 2 == 0) {
      return null;
    }
    for (int i = start; i < end; i++) {
      boolean fits = (i - start) % 2 == 0 ? tokens.at(i).isName() : tokens.symbol(i, ".");
      if (!fits) {
        return null;
      }
    }
    String qualifier = length == 1 ? null : tokens.at(end - 3).text();
    return scope.find(qualifier, tokens.at(end - 1).text());
  }

  /** A literal or parameter, perhaps with a sign or cast to the key's kind of type. */
  @Nullable KeyExpression value(int from, int to, KeyType type) {
    int start = tokens.stripFrom(from, to);
    int end = to - (start - from);
    if (end - start < 1) {
      return null;
    }
    if (tokens.word(start, "cast") && tokens.partner(start + 1) == end - 1) {
      return castFunction(start + 2, end - 1, type);
    }
    if (end - start > 2 && tokens.symbol(start + 1, "::")) {
      return isType(start + 2, end, type) ? plain(start, start, type) : null;
    }
    if (end - start > 3 && tokens.symbol(start + 2, "::")) {
      // -5::int is -(5::int)
      return isSign(start) && isType(start + 3, end, type) ? plain(start, start + 1, type) : null;
    }
    if (end - start == 2 && !isSign(start)) {
      boolean typed = tokens.at(start + 1).kind() == Kind.STRING && isType(start, end - 1, type);
      return typed ? plain(start + 1, start + 1, type) : null;
    }
    return end - start <= 2 ? plain(start, end - 1, type) : null;
  }

  private @Nullable KeyExpression castFunction(int from, int to, KeyType type) {
    int as = from;
    while (as < to && !tokens.word(as, "as")) {
      as = tokens.skip(as);
    }
    return as < to && isType(as + 1, to, type) ? value(from, as, type) : null;
  }

  private boolean isSign(int i) {
    return tokens.symbol(i, "-") || tokens.symbol(i, "+");
  }

  private boolean isType(int from, int to, KeyType type) {
    if (to - from != 1 || tokens.at(from).kind() != Kind.WORD) {
      return false;
    }
    String name = tokens.at(from).text();
    return switch (type) {
      case INTEGER -> INTEGER_TYPES.contains(name);
      case TEXT -> TEXT_TYPES.contains(name);
      case UUID -> name.equals("uuid");
    };
  }

  /** {@code at} is the literal or parameter; {@code from} it, or a sign before it. */
  private @Nullable KeyExpression plain(int from, int at, KeyType type) {
    boolean signed = from < at;
    Token token = tokens.at(at);
    if (token.kind() == Kind.PARAMETER && !signed) {
      typedParameters.add(at);
      return parameter(token);
    }
    boolean fits =
        type == KeyType.INTEGER
            ? token.kind() == Kind.INTEGER
                || token.kind() == Kind.NUMBER
                || (token.kind() == Kind.STRING && !signed)
            : token.kind() == Kind.STRING && !signed;
    if (!fits) {
      return token.isWord("null") && !signed ? new KeyExpression.Constant(null) : null;
    }
    if (literalsAreParameters) {
      signedLiteral |= signed;
      return signed ? null : new KeyExpression.Parameter(literalIndex(at));
    }
    return constant(token, signed && tokens.symbol(from, "-"), type);
  }

  private @Nullable KeyExpression constant(Token token, boolean negative, KeyType type) {
    String text =
        token.kind() == Kind.STRING
            ? LiteralText.unquoted(tokens.sql(), token.start(), token.end())
            : tokens.text(token);
    if (token.kind() == Kind.NUMBER) {
      text = text.replaceFirst("\\.0*$", ""); // 1.0 is the key 1
    }
    try {
      return new KeyExpression.Constant(KeyText.of(type, negative ? "-" + text : text));
    } catch (KeyFormatException e) {
      return null; // numeric, or an error that a server will tell
    }
  }

  private @Nullable KeyExpression parameter(Token token) {
    String digits = tokens.text(token).substring(1);
    if (digits.length() > 5 || digits.equals("0")) {
      return null;
    }
    return new KeyExpression.Parameter(Integer.parseInt(digits) - 1);
  }

  /** The value of an INTEGER token below a million; -1 for greater ones. */
  int smallNumber(Token token) {
    return token.end() - token.start() > 6 ? -1 : Integer.parseInt(tokens.text(token));
  }

  /** How many literals come before this one. */
  private int literalIndex(int at) {
    int index = 0;
    for (int i = 0; i < at; i++) {
      if (LiteralText.isReplaced(tokens.at(i).kind())) {
        index++;
      }
    }
    return index;
  }
}
