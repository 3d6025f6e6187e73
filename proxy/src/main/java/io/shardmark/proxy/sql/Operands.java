package io.shardmark.proxy.sql;

import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.sql.Scope.Found;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Recognises the few operands a route is read from: columns, and values of a key's type. */
public final class Operands {
  private static final Set<String> INTEGER_TYPES =
      Set.of("int integer bigint smallint int2 int4 int8".split(" ", -1));
  private static final Set<String> TEXT_TYPES = Set.of("text", "varchar");

  private final TokenRange tokens;
  private final boolean literalsAreParameters;

  /** Tokens of parameters whose type is certainly the key's, by what they are compared with. */
  private final Set<Integer> typedParameters = new HashSet<>();

  private boolean signedLiteral;

  /**
   * @param literals whether literals are values of later executions ({@link
   *     KeyExpression.Parameter}, counted over the whole text) or constants
   */
  public Operands(TokenRange tokens, LiteralUse literals) {
    this.tokens = tokens;
    this.literalsAreParameters = literals == LiteralUse.PARAMETERS;
  }

  /** What a literal is to a plan. */
  public enum LiteralUse {
    CONSTANTS,
    PARAMETERS
  }

  TokenRange tokens() {
    return tokens;
  }

  /** A literal with a sign or in a sum was a key, which a parameter's value cannot give. */
  public boolean hasSignedLiteral() {
    return signedLiteral;
  }

  /** {@code name}, {@code table.name} or {@code schema.table.name}. */
  public @Nullable Found column(Span expression, Scope scope) {
    Span span = tokens.stripped(expression);
    int length = span.size();
    boolean name = length >= 1 && length <= 5 && tokens.at(span.from()).isName();
    if (!name || tokens.afterName(span.from()) != span.to()) {
      return null;
    }
    String qualifier = length == 1 ? null : tokens.at(span.to() - 3).text();
    return scope.find(qualifier, tokens.at(span.to() - 1).text());
  }

  /** A literal or parameter, perhaps with a sign or cast to the key's kind of type. */
  @Nullable KeyExpression value(Span expression, KeyType type) {
    Span span = tokens.stripped(expression);
    int start = span.from();
    int end = span.to();
    if (end - start < 1) {
      return null;
    }
    if (tokens.word(start, "cast") && tokens.partner(start + 1) == end - 1) {
      int as = tokens.find(Span.of(start + 2, end - 1), "as");
      return isType(as + 1, end - 1, type) ? value(Span.of(start + 2, as), type) : null;
    }
    if (end - start > 2 && tokens.symbol(start + 1, "::")) {
      return isType(start + 2, end, type) ? plain(start, start, type) : null;
    }
    if (end - start > 3 && tokens.symbol(start + 2, "::")) {
      // -5::int is -(5::int)
      return isSign(start) && isType(start + 3, end, type) ? plain(start, start + 1, type) : null;
    }
    if (end - start == 2 && !isSign(start)) {
      boolean typed =
          tokens.at(start + 1).kind() == Token.TokenKind.STRING && isType(start, end - 1, type);
      return typed ? plain(start + 1, start + 1, type) : null;
    }
    return end - start <= 2 ? plain(start, end - 1, type) : null;
  }

  private boolean isSign(int i) {
    return tokens.symbol(i, "-") || tokens.symbol(i, "+");
  }

  private boolean isType(int from, int to, KeyType type) {
    if (to - from != 1 || tokens.at(from).kind() != Token.TokenKind.WORD) {
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
    if (token.kind() == Token.TokenKind.PARAMETER && !signed) {
      typedParameters.add(at);
      return parameter(token);
    }
    boolean fits =
        type == KeyType.INTEGER
            ? token.kind() == Token.TokenKind.INTEGER
                || token.kind() == Token.TokenKind.NUMBER
                || (token.kind() == Token.TokenKind.STRING && !signed)
            : token.kind() == Token.TokenKind.STRING && !signed;
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
        token.kind() == Token.TokenKind.STRING
            ? LiteralText.unquoted(tokens.sql(), token.start(), token.end())
            : tokens.text(token);
    if (token.kind() == Token.TokenKind.NUMBER) {
      text = text.replaceFirst("\\.0*$", ""); // 1.0 is the key 1
    }
    try {
      return new KeyExpression.Constant(KeyText.of(type, negative ? "-" + text : text));
    } catch (KeyFormatException e) {
      return null; // numeric, or an error that a server will report
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
  public int smallNumber(Token token) {
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

  /**
   * Whether all parameters among these keys are used only where their type is the key's. A server
   * infers the type of a parameter from its first use; used in several places, it could be a
   * floating-point number there, whose eight bytes would be read as an integer here.
   */
  public boolean haveCertainTypes(List<KeyExpression> keys) {
    return keys.stream()
        .allMatch(key -> !(key instanceof KeyExpression.Parameter one) || hasCertainType(one));
  }

  private boolean hasCertainType(KeyExpression.Parameter parameter) {
    String text = "$" + (parameter.index() + 1);
    int uses = 0;
    boolean allTyped = true;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.at(i);
      if (token.kind() == Token.TokenKind.PARAMETER && tokens.text(token).equals(text)) {
        uses++;
        allTyped &= typedParameters.contains(i);
      }
    }
    return uses <= 1 || allTyped;
  }
}
