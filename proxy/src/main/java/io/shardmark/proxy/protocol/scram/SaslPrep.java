package io.shardmark.proxy.protocol.scram;

import java.text.Normalizer;

/**
 * Passwords made comparable (RFC 4013), as PostgreSQL does it: a password that cannot be prepared
 * is used as it is. ASCII is its own preparation. Left out: the check of text that mixes writing
 * directions and the list of code points not assigned in Unicode 3.2; passwords that break those
 * rules are prepared here while PostgreSQL takes them raw.
 */
final class SaslPrep {
  private SaslPrep() {}

  static String prepare(String password) {
    if (password.chars().allMatch(c -> c < 0x80)) {
      return password;
    }
    StringBuilder mapped = new StringBuilder(password.length());
    password.codePoints().filter(c -> !isMappedToNothing(c)).forEach(c -> append(mapped, c));
    String normalized = Normalizer.normalize(mapped, Normalizer.Form.NFKC);
    boolean prohibited = normalized.codePoints().anyMatch(SaslPrep::isProhibited);
    return prohibited || normalized.isEmpty() ? password : normalized;
  }

  private static void append(StringBuilder text, int codePoint) {
    // RFC 3454 table C.1.2: spaces that are not ASCII become one. U+200B is in both tables; RFC
    // 4013 maps it to a space first, and so does PostgreSQL.
    boolean space = Character.getType(codePoint) == Character.SPACE_SEPARATOR;
    text.appendCodePoint(space || codePoint == 0x200B ? ' ' : codePoint);
  }

  /** RFC 3454 table B.1. */
  private static boolean isMappedToNothing(int codePoint) {
    return switch (codePoint) {
      case 0x00AD, 0x034F, 0x1806, 0x180B, 0x180C, 0x180D, 0x200C, 0x200D, 0x2060, 0xFEFF -> true;
      default -> codePoint >= 0xFE00 && codePoint <= 0xFE0F;
    };
  }

  /** RFC 4013 section 2.3, by general category where the tables follow it. */
  private static boolean isProhibited(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.PRIVATE_USE,
          Character.SURROGATE,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default ->
          (codePoint & 0xFFFE) == 0xFFFE
              || (codePoint >= 0xFDD0 && codePoint <= 0xFDEF)
              || (codePoint >= 0xFFF9 && codePoint <= 0xFFFD)
              || (codePoint >= 0x2FF0 && codePoint <= 0x2FFB)
              || codePoint == 0x0340
              || codePoint == 0x0341;
    };
  }
}
