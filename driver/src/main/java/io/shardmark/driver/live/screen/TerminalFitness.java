package io.shardmark.driver.live.screen;

import io.shardmark.driver.console.StatusLine.LineMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Whether what standard output leads to is a terminal that a dashboard may take over. */
final class TerminalFitness {
  private static final Path STAT = Path.of("/proc/self/stat");

  private TerminalFitness() {}

  /**
   * What speaks against it.
   *
   * @return "" if nothing does
   */
  static String whyNot(Map<String, String> environment) {
    String type = environment.getOrDefault("TERM", "");
    if (type.isEmpty() || type.equals("dumb")) {
      return "TERM is " + (type.isEmpty() ? "not set" : type);
    }
    if (LineMode.ofStandardOutput() != LineMode.IN_PLACE) {
      return "standard output is no terminal";
    }
    return inBackground() ? "the driver runs in the background" : "";
  }

  /**
   * The same, where nobody asked for a dashboard by name: a build machine's terminal is a log that
   * is read later.
   */
  static String whyNotUnasked(Map<String, String> environment) {
    String ci = environment.getOrDefault("CI", "");
    return ci.isEmpty() || ci.equals("false") ? whyNot(environment) : "CI is set";
  }

  /** A job of a shell that touches the terminal's modes in the background is stopped for it. */
  private static boolean inBackground() {
    try {
      return isBackground(Files.readString(STAT, StandardCharsets.ISO_8859_1));
    } catch (IOException e) {
      return false; // no /proc, so that standard output was not known to be a terminal either
    }
  }

  /**
   * proc(5) stat; the name in parentheses may itself hold blanks and parentheses. After it come
   * state, parent, process group, session, terminal, and the terminal's foreground group.
   */
  static boolean isBackground(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    boolean hasTerminal = !fields[4].equals("0");
    return hasTerminal && !fields[2].equals(fields[5]);
  }
}
