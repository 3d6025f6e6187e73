package io.shardmark.config;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Takes passwords out of text that is shown or kept. */
final class PasswordMask {
  /** As many stars as BenchmarkSQL's loader prints, whatever the password's length. */
  static final String STARS = "***********";

  /** {@code jdbc:postgresql://host/db?password=secret}, also escaped as Properties.store does. */
  private static final Pattern URL_OPTION =
      Pattern.compile("(?i)([?&;(]\\w*password\\s*\\\\?=)[^&;)\\s]+");

  /** {@code jdbc:oracle:thin:scott/tiger@host}. */
  private static final Pattern ORACLE_LOGIN =
      Pattern.compile("(?i)(jdbc\\\\?:oracle\\\\?:\\w+\\\\?:[^/\\s@]+/)[^@\\s]+(?=@)");

  /** {@code jdbc:mysql://root:secret@host}. */
  private static final Pattern URL_LOGIN =
      Pattern.compile("(?i)(jdbc\\\\?:[^\\s?]*//[^/\\s:@\\\\]+\\\\?:)[^@\\s/]+(?=@)");

  /** {@code #password=secret} and {@code //password=secret}: commented out is not forgotten. */
  private static final Pattern COMMENTED_OUT =
      Pattern.compile(
          "(?im)^([ \\t\\f]*(?:#|!|//)[#!/ \\t]*passw\\w*[ \\t]*[=:][ \\t]*)[^\\s][^\\r\\n]*");

  private PasswordMask() {}

  /**
   * The text of a properties file with every password in it replaced by stars: values of the key
   * and of misspelt forms of it, commented-out lines, and passwords inside JDBC URLs.
   */
  static String inFile(String text, List<PropertiesText.PropertyLine> entries) {
    StringBuilder masked = new StringBuilder(text.length());
    int copied = 0;
    for (PropertiesText.PropertyLine entry : entries) {
      if (isPasswordKey(entry.key()) && entry.valueEnd() > entry.valueStart()) {
        masked.append(text, copied, entry.valueStart()).append(STARS);
        copied = entry.valueEnd();
      }
    }
    masked.append(text, copied, text.length());
    return COMMENTED_OUT.matcher(inUrls(masked.toString())).replaceAll("$1" + STARS);
  }

  static String inUrls(String text) {
    String masked = URL_OPTION.matcher(text).replaceAll("$1" + STARS);
    masked = ORACLE_LOGIN.matcher(masked).replaceAll("$1" + STARS);
    return URL_LOGIN.matcher(masked).replaceAll("$1" + STARS);
  }

  /** {@code password=secret}, a mistaken word of a command line. */
  static String inPair(String word) {
    int equals = word.indexOf('=');
    return equals > 0 && isPasswordKey(word.substring(0, equals))
        ? word.substring(0, equals + 1) + STARS
        : inUrls(word);
  }

  /** True for the key and for what looks like an attempt at it. */
  static boolean isPasswordKey(String key) {
    String lowerCase = key.toLowerCase(Locale.ROOT);
    return lowerCase.contains("pass") || lowerCase.contains("pwd") || looksLikePassword(key);
  }

  private static boolean looksLikePassword(String key) {
    return Spelling.suggestion(key, List.of(PropertyKey.values()))
        .filter(meant -> meant == PropertyKey.PASSWORD)
        .isPresent();
  }
}
