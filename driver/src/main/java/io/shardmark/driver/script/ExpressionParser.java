package io.shardmark.driver.script;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads one expression. From the loosest to the tightest operator, as pgbench's grammar has it. */
final class ExpressionParser {
  private static final Pattern TOKEN =
      Pattern.compile(
          "\\s*(?:(?<number>(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?)"
              + "|:(?<variable>[\\p{L}_][\\p{L}\\d_]*)"
              + "|(?<word>[A-Za-z_][A-Za-z0-9_]*)"
              + "|(?<sign><<|>>|<=|>=|<>|!=|[-+*/%|#&~<>=(),]))");

  /** Those that begin with {@code >} have their sides exchanged. */
  private static final Map<String, Function> COMPARISONS =
      Map.of(
          "=", Function.EQUAL,
          "<>", Function.NOT_EQUAL,
          "!=", Function.NOT_EQUAL,
          "<", Function.LESS,
          "<=", Function.AT_MOST,
          ">", Function.LESS,
          ">=", Function.AT_MOST);

  /** Operators that are read from left to right, the loosest ones first. */
  private static final List<Map<String, Function>> LEVELS =
      List.of(
          Map.of(
              "|", Function.BIT_OR,
              "#", Function.BIT_XOR,
              "&", Function.BIT_AND,
              "<<", Function.SHIFT_LEFT,
              ">>", Function.SHIFT_RIGHT),
          Map.of("+", Function.ADD, "-", Function.SUBTRACT),
          Map.of("*", Function.MULTIPLY, "/", Function.DIVIDE, "%", Function.REMAINDER));

  private static final int SUMS = 1;

  private static final Map<String, Value> CONSTANTS =
      Map.of(
          "null", Value.ConstantValue.NULL,
          "true", Value.ConstantValue.TRUE,
          "false", Value.ConstantValue.FALSE);
  private static final Set<String> KEYWORDS =
      Set.of("and", "or", "not", "is", "isnull", "notnull", "case", "when", "then", "else", "end");

  private final List<String> tokens = new ArrayList<>();
  private final Consumer<String> variables;
  private int at;

  /**
   * @param variables takes each variable that is read
   */
  private ExpressionParser(String text, Consumer<String> variables) {
    this.variables = variables;
    Matcher matcher = TOKEN.matcher(text);
    int end = 0;
    while (end < text.stripTrailing().length()) {
      if (!matcher.find(end) || matcher.start() != end) {
        throw ScriptException.expected("an expression", text.substring(end).strip());
      }
      String token = matcher.group().strip();
      tokens.add(matcher.group("word") == null ? token : token.toLowerCase(Locale.ROOT));
      end = matcher.end();
    }
  }

  /**
   * @throws ScriptException if the text is invalid
   */
  static Expression parse(String text, Consumer<String> variables) {
    ExpressionParser parser = new ExpressionParser(text, variables);
    Expression expression = parser.or();
    if (!parser.peek().isEmpty()) {
      throw ScriptException.expected("an operator or the end of the line", parser.peek());
    }
    return expression;
  }

  private String peek() {
    return at < tokens.size() ? tokens.get(at) : "";
  }

  private String next() {
    String token = peek();
    at++;
    return token;
  }

  private boolean take(String token) {
    if (!peek().equals(token)) {
      return false;
    }
    at++;
    return true;
  }

  private void require(String token) {
    if (!take(token)) {
      throw ScriptException.expected("'" + token + "'", peek());
    }
  }

  private static Expression call(Function function, Expression... arguments) {
    return new Expression.Call(function, List.of(arguments));
  }

  private Expression or() {
    Expression left = and();
    while (take("or")) {
      left = new Expression.Logical(left, and(), true);
    }
    return left;
  }

  private Expression and() {
    Expression left = not();
    while (take("and")) {
      left = new Expression.Logical(left, not(), false);
    }
    return left;
  }

  private Expression not() {
    return take("not") ? call(Function.NOT, not()) : is();
  }

  private Expression is() {
    Expression left = comparison();
    Expression isNull =
        call(Function.IS, left, new Expression.ConstantExpression(Value.ConstantValue.NULL));
    if (take("isnull")) {
      return isNull;
    }
    if (take("notnull")) {
      return call(Function.NOT, isNull);
    }
    if (!take("is")) {
      return left;
    }
    boolean negated = take("not");
    Value constant = CONSTANTS.get(peek());
    if (constant == null) {
      throw ScriptException.expected("null, true or false", peek());
    }
    at++;
    Expression is = call(Function.IS, left, new Expression.ConstantExpression(constant));
    return negated ? call(Function.NOT, is) : is;
  }

  private Expression comparison() {
    Expression left = leftToRight(0);
    Function comparison = COMPARISONS.get(peek());
    if (comparison == null) {
      return left;
    }
    boolean isExchanged = next().startsWith(">");
    Expression right = leftToRight(0);
    return isExchanged ? call(comparison, right, left) : call(comparison, left, right);
  }

  private Expression leftToRight(int level) {
    if (level == LEVELS.size()) {
      return unary();
    }
    Expression left = leftToRight(level + 1);
    Function operator = LEVELS.get(level).get(peek());
    while (operator != null) {
      at++;
      left = call(operator, left, leftToRight(level + 1));
      operator = LEVELS.get(level).get(peek());
    }
    return left;
  }

  private Expression unary() {
    if (take("-")) {
      if (take("9223372036854775808")) {
        return new Expression.ConstantExpression(new Value.Whole(Long.MIN_VALUE));
      }
      return call(
          Function.SUBTRACT, new Expression.ConstantExpression(new Value.Whole(0)), unary());
    }
    if (take("~")) { // looser than sums, as in pgbench
      Expression inverted = leftToRight(SUMS);
      return call(
          Function.BIT_XOR, new Expression.ConstantExpression(new Value.Whole(-1)), inverted);
    }
    return take("+") ? unary() : operand();
  }

  private Expression operand() {
    String token = next();
    if (token.equals("(")) {
      Expression inside = or();
      require(")");
      return inside;
    }
    if (token.equals("case")) {
      require("when");
      return afterWhen();
    }
    Value constant = CONSTANTS.get(token);
    if (constant != null) {
      return new Expression.ConstantExpression(constant);
    }
    if (token.startsWith(":")) {
      return variable(token.substring(1));
    }
    if (token.matches("[.\\d].*")) {
      return new Expression.ConstantExpression(number(token));
    }
    if (token.matches("[a-z_].*") && !KEYWORDS.contains(token)) {
      return function(token);
    }
    throw ScriptException.expected("a number, a :variable, a function or '('", token);
  }

  private Expression variable(String name) {
    variables.accept(name);
    return new Expression.Variable(name);
  }

  private static Value number(String token) {
    if (!token.matches("\\d+")) {
      double number = Double.parseDouble(token);
      if (Double.isInfinite(number)) {
        throw ScriptException.expected("a number that fits a double", token);
      }
      return new Value.Real(number);
    }
    try {
      return new Value.Whole(Long.parseLong(token));
    } catch (NumberFormatException e) {
      throw ScriptException.expected("an integer of 64 bits", token);
    }
  }

  private Expression afterWhen() {
    Expression condition = or();
    require("then");
    Expression value = or();
    Expression otherwise = new Expression.ConstantExpression(Value.ConstantValue.NULL);
    if (take("when")) {
      return new Expression.Case(condition, value, afterWhen());
    }
    if (take("else")) {
      otherwise = or();
    }
    require("end");
    return new Expression.Case(condition, value, otherwise);
  }

  private Expression function(String name) {
    Optional<Function> found = Function.named(name);
    if (found.isEmpty()) {
      throw new ScriptException("unknown function '%s', expected one of pgbench's".formatted(name));
    }
    Function function = found.get();
    require("(");
    List<Expression> arguments = new ArrayList<>();
    if (!peek().equals(")")) {
      do {
        arguments.add(or());
      } while (take(","));
    }
    require(")");
    if (function.hasSeed() && arguments.size() == function.arity() - 1) {
      arguments.add(variable(VariableNames.DEFAULT_SEED));
    }
    boolean fits =
        function.arity() == Function.ANY
            ? !arguments.isEmpty()
            : arguments.size() == function.arity();
    if (!fits) {
      throw new ScriptException(
          "%s has %d arguments, expected %s"
              .formatted(
                  name,
                  arguments.size(),
                  function.arity() == Function.ANY ? "one or more" : function.arity()));
    }
    return new Expression.Call(function, arguments);
  }
}
