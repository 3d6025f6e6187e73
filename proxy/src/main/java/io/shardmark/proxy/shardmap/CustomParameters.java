package io.shardmark.proxy.shardmap;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Custom parameters that texts may set, and which exist from then on (PG18 §19.16
 * runtime-config-custom). No server lists those that exist: it can be asked for names only.
 *
 * @param names in lower case
 */
public record CustomParameters(Reach reach, Set<String> names) {
  /** Which ones. */
  public enum Reach {
    /** Those of the names. */
    NAMED,
    /** Also others, whose names are computed. */
    ANY
  }

  /** None. */
  public static final CustomParameters NONE = new CustomParameters(Reach.NAMED, Set.of());

  private static final Pattern CALL =
      Pattern.compile(
          "\\bset_config\\s*\\(\\s*(?:setting_name\\s*(?:=>|:=)\\s*)?(?:e?'+([^',]+)'+\\s*,)?",
          Pattern.CASE_INSENSITIVE);

  private static final String SET = "\\bset\\s+(?:(?:session|local)\\s+)?";

  private static final Pattern COMMAND =
      Pattern.compile(
          SET + "\"?([a-z_][\\w$]*)\"?\\s*\\.\\s*\"?([\\w$.]+)", Pattern.CASE_INSENSITIVE);

  /** A text that is put together, whose first word is SET. */
  private static final Pattern COMPUTED =
      Pattern.compile("['$;]\\s*" + SET + "(?:%|'+\\s*\\|\\|)", Pattern.CASE_INSENSITIVE);

  public CustomParameters {
    names = Set.copyOf(names);
  }

  /**
   * Those that a statement or a function's body sets: by SET, also in a text that it executes, or
   * by set_config. What it calls, and executes without having the text, is not among them.
   */
  public static CustomParameters in(String text) {
    Set<String> names = new HashSet<>();
    boolean any = COMPUTED.matcher(text).find();
    Matcher call = CALL.matcher(text);
    while (call.find()) {
      String name = call.group(1);
      any |= name == null;
      if (name != null && name.indexOf('.') > 0) {
        names.add(name.toLowerCase(Locale.ROOT));
      }
    }
    Matcher command = COMMAND.matcher(text);
    while (command.find()) {
      names.add((command.group(1) + "." + command.group(2)).toLowerCase(Locale.ROOT));
    }
    return any || !names.isEmpty()
        ? new CustomParameters(any ? Reach.ANY : Reach.NAMED, names)
        : NONE;
  }

  /** Both together. */
  public CustomParameters and(CustomParameters other) {
    if (equals(NONE) || equals(other)) {
      return other;
    }
    Set<String> all = new HashSet<>(names);
    all.addAll(other.names);
    return new CustomParameters(reach == Reach.ANY ? reach : other.reach, all);
  }
}
