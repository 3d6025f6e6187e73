package io.shardmark.proxy.routing;

import io.shardmark.proxy.routing.Token.Kind;
import java.util.List;

/**
 * Whether a parameter's type is known to be the key's. A server infers the type of a parameter from
 * its first use; used in several places, it could be a floating-point number there, whose eight
 * bytes would be read as an integer here.
 */
final class ParameterTypes {
  private ParameterTypes() {}

  /** Whether all these parameters are used only where their type is the key's. */
  static boolean areCertain(List<KeyExpression> keys, Operands operands) {
    for (KeyExpression key : keys) {
      if (key instanceof KeyExpression.Parameter parameter
          && !isCertain(parameter.index(), operands)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isCertain(int index, Operands operands) {
    String text = "$" + (index + 1);
    TokenRange tokens = operands.tokens();
    int uses = 0;
    boolean allTyped = true;
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.at(i);
      if (token.kind() == Kind.PARAMETER && tokens.text(token).equals(text)) {
        uses++;
        allTyped &= operands.typedParameters().contains(i);
      }
    }
    return uses <= 1 || allTyped;
  }
}
