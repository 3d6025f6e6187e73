package io.shardmark.systemtest;

import io.shardmark.systemtest.DriverProcess.Finished;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/** A shell on a real pseudo-terminal: a tmux of its own, which draws its screen. */
final class PseudoTerminal implements AutoCloseable {
  private static final Path TMUX = Path.of("/usr/bin/tmux");

  private final Workspace workspace;

  private PseudoTerminal(Workspace workspace) {
    this.workspace = workspace;
  }

  static boolean isAvailable() {
    return Files.isExecutable(TMUX);
  }

  /** Opens a window of some size with a shell in the workspace. */
  static PseudoTerminal open(Workspace workspace, int columns, int rows) throws Exception {
    PseudoTerminal terminal = new PseudoTerminal(workspace);
    terminal.tmux(
        "-f",
        "/dev/null",
        "new-session",
        "-d",
        "-s",
        "test",
        "-x",
        Integer.toString(columns),
        "-y",
        Integer.toString(rows),
        "env -u CI PS1='ready> ' LC_ALL=C.UTF-8 sh");
    terminal.await(screen -> screen.contains("ready>"));
    return terminal;
  }

  private String tmux(String... arguments) throws Exception {
    List<String> command =
        new ArrayList<>(List.of(TMUX.toString(), "-S", workspace.directory() + "/tmux"));
    command.addAll(List.of(arguments));
    try (DriverProcess process = workspace.startCommand(command, Map.of("LC_ALL", "C.UTF-8"))) {
      Finished finished = process.await().succeeded();
      return finished.out();
    }
  }

  /** Types a line. */
  void type(String line) throws Exception {
    tmux("send-keys", "-t", "test", "-l", line);
    tmux("send-keys", "-t", "test", "Enter");
  }

  /** Presses a key by tmux's name for it. */
  void press(String key) throws Exception {
    tmux("send-keys", "-t", "test", key);
  }

  void resize(int columns, int rows) throws Exception {
    tmux(
        "resize-window",
        "-t",
        "test",
        "-x",
        Integer.toString(columns),
        "-y",
        Integer.toString(rows));
  }

  /** What the screen shows. */
  String screen() throws Exception {
    return tmux("capture-pane", "-p", "-t", "test");
  }

  /** The screen and all that has scrolled off it, wrapped lines joined. */
  String everything() throws Exception {
    return tmux("capture-pane", "-p", "-J", "-S", "-", "-t", "test");
  }

  boolean showsAlternateScreen() throws Exception {
    return tmux("display-message", "-p", "-t", "test", "#{alternate_on}").strip().equals("1");
  }

  boolean showsCursor() throws Exception {
    return tmux("display-message", "-p", "-t", "test", "#{cursor_flag}").strip().equals("1");
  }

  /** Waits until the screen is as wanted. */
  String await(Predicate<String> wanted) {
    return await(this::screen, wanted);
  }

  /** The same of the screen and all that has scrolled off it. */
  void awaitInEverything(String text) {
    await(this::everything, all -> all.contains(text));
  }

  /** The same of the alternate screen, which a program shows in place of the normal one. */
  String awaitAlternate(Predicate<String> wanted) {
    String mark = "alternate_on=1\n";
    Callable<String> alternate =
        () ->
            tmux(
                "display-message",
                "-p",
                "-t",
                "test",
                "alternate_on=#{alternate_on}",
                ";",
                "capture-pane",
                "-p",
                "-t",
                "test");
    return await(alternate, both -> both.startsWith(mark) && wanted.test(both))
        .substring(mark.length());
  }

  private static String await(Callable<String> shown, Predicate<String> wanted) {
    return Awaitility.await("screen").atMost(DriverProcess.PATIENCE).until(shown, wanted);
  }

  /** Types a command and waits for its end; gives what it printed. */
  String run(String command) throws Exception {
    // Quoted, so that the line that is typed does not hold the mark itself.
    String mark = Long.toString(System.nanoTime());
    type(command + "; echo 'en''ded'" + mark);
    await(screen -> screen.contains("ended" + mark));
    String all = everything();
    int typed = all.indexOf("'en''ded'" + mark);
    return all.substring(all.indexOf('\n', typed) + 1, all.indexOf("ended" + mark)).strip();
  }

  @Override
  public void close() {
    try {
      new ProcessBuilder(TMUX.toString(), "-S", workspace.directory() + "/tmux", "kill-server")
          .start()
          .onExit()
          .join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
