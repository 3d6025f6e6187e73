package io.shardmark.driver.live.screen;

import io.shardmark.driver.console.RunConsole;
import io.shardmark.driver.live.LiveRun;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.Curses;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.Signals;
import org.jspecify.annotations.Nullable;

/**
 * A full-screen view of a run on the terminal's alternate screen. While it is shown, lines for the
 * console are kept; they are printed on the normal screen when it goes. It goes with {@link
 * #close}, and when the JVM ends for whatever reason that runs its hooks. Ctrl-C stays a signal.
 * Safe on any thread.
 */
public final class Dashboard implements AutoCloseable {
  private static final int MOST_LOG_LINES = 100;

  private final LiveRun run;
  private final RunConsole console;
  private final Terminal terminal;
  private final Attributes modesBefore;
  private final Display display;
  private final Glyphs glyphs;
  private final PrintStream errBefore = System.err;
  private final Thread hook = new Thread(this::leave, "dashboard-end");
  private @Nullable Object resizeHandlerBefore;
  private Size size;
  private boolean gone;

  /** A dashboard, or the reason why there is none. */
  public record Opened(@Nullable Dashboard dashboard, String whyNot) {}

  private Dashboard(LiveRun run, RunConsole console, Terminal terminal) {
    this.run = run;
    this.console = console;
    this.terminal = terminal;
    modesBefore = terminal.getAttributes();
    size = terminal.getSize();
    display = new Display(terminal, true);
    display.resize(size.getRows(), size.getColumns());
    glyphs =
        terminal.outputEncoding().equals(StandardCharsets.UTF_8) ? Glyphs.UNICODE : Glyphs.ASCII;
  }

  /**
   * Takes over the terminal.
   *
   * @param asked true if the user wants a dashboard in any case
   */
  public static Opened open(LiveRun run, RunConsole console, boolean asked) {
    Map<String, String> environment = System.getenv();
    String whyNot =
        asked ? TerminalFitness.whyNot(environment) : TerminalFitness.whyNotUnasked(environment);
    if (!console.isStandardOutput()) {
      whyNot = "the console is not standard output";
    }
    if (!whyNot.isEmpty()) {
      return new Opened(null, whyNot);
    }
    try {
      Terminal terminal =
          TerminalBuilder.builder()
              .system(true)
              .systemOutput(TerminalBuilder.SystemOutput.SysOut)
              .dumb(false)
              // Its way through stty: the one through the C library loses the line's speed.
              .provider("exec")
              // They would replace the JVM's handlers, which end a run cleanly.
              .nativeSignals(false)
              .build();
      console.fit(terminal.getSize().getColumns());
      whyNot = whyUnfit(terminal);
      if (!whyNot.isEmpty()) {
        terminal.close();
        return new Opened(null, whyNot);
      }
      Dashboard dashboard = new Dashboard(run, console, terminal);
      dashboard.enter();
      return new Opened(dashboard, "");
    } catch (IOException | IllegalStateException e) {
      return new Opened(null, "the terminal cannot be used: " + e.getMessage());
    }
  }

  private static String whyUnfit(Terminal terminal) {
    if (terminal.getStringCapability(Capability.enter_ca_mode) == null
        || terminal.getStringCapability(Capability.cursor_address) == null) {
      return "a terminal of type " + terminal.getType() + " has no alternate screen";
    }
    Size size = terminal.getSize();
    return screenOf(size, Glyphs.ASCII).isLargeEnough()
        ? ""
        : "the terminal has %d x %d characters, less than %d x %d"
            .formatted(
                size.getColumns(),
                size.getRows(),
                DashboardText.LEAST_COLUMNS,
                DashboardText.LEAST_ROWS);
  }

  private static DashboardText.Screen screenOf(Size size, Glyphs glyphs) {
    return new DashboardText.Screen(size.getColumns(), size.getRows(), glyphs);
  }

  private synchronized void enter() {
    Runtime.getRuntime().addShutdownHook(hook);
    console.holdLines();
    System.setErr(new PrintStream(new HeldErrors(), true, StandardCharsets.UTF_8));
    Attributes modes = new Attributes(modesBefore);
    modes.setLocalFlag(LocalFlag.ECHO, false);
    modes.setLocalFlag(LocalFlag.ICANON, false);
    // A stopped process would leave its screen to the shell.
    modes.setControlChar(ControlChar.VSUSP, 0);
    terminal.setAttributes(modes);
    terminal.puts(Capability.enter_ca_mode);
    terminal.puts(Capability.cursor_invisible);
    resizeHandlerBefore = Signals.register("WINCH", this::resize);
    draw();
  }

  /** The window has another size. Asking for it starts a process, so it is asked only then. */
  private synchronized void resize() {
    if (gone) {
      return;
    }
    try {
      size = terminal.getSize();
      display.resize(size.getRows(), size.getColumns());
      terminal.puts(Capability.clear_screen);
      display.reset();
    } catch (IllegalStateException e) {
      leave(); // as in draw
    }
    draw();
  }

  /** Shows how the run does at this moment. */
  public synchronized void draw() {
    if (gone) {
      return;
    }
    List<AttributedString> lines =
        DashboardText.lines(run, screenOf(size, glyphs), console.newestHeldLines(MOST_LOG_LINES));
    try {
      display.update(lines, 0);
      terminal.flush();
    } catch (IllegalStateException e) {
      // The JVM ends and the terminal has closed itself; the run still has its results to print.
      leave();
    }
  }

  /** Gives the terminal back and prints what was kept. Does nothing the second time. */
  @Override
  public void close() {
    leave();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending: the hook has run or finds nothing to do.
      return;
    }
  }

  private synchronized void leave() {
    if (gone) {
      return;
    }
    gone = true;
    if (resizeHandlerBefore != null) {
      Signals.unregister("WINCH", resizeHandlerBefore);
    }
    StringBuilder restore = new StringBuilder();
    append(restore, Capability.exit_attribute_mode);
    append(restore, Capability.clear_screen);
    append(restore, Capability.cursor_normal);
    append(restore, Capability.exit_ca_mode);
    // Not through the terminal, which closes itself when the JVM ends.
    System.out.print(restore);
    System.out.flush();
    try {
      terminal.setAttributes(modesBefore);
      terminal.close();
    } catch (IOException | IllegalStateException e) {
      System.setErr(errBefore); // it is closed already, and has set its modes back
    }
    System.setErr(errBefore);
    console.printHeldLines();
  }

  private void append(StringBuilder text, Capability capability) {
    String sequence = terminal.getStringCapability(capability);
    if (sequence != null) {
      Curses.tputs(text, sequence);
    }
  }

  /** Standard error while the dashboard is shown: whole lines, among those of the console. */
  private final class HeldErrors extends OutputStream {
    private final StringBuilder line = new StringBuilder();

    @Override
    public synchronized void write(int character) {
      write(new byte[] {(byte) character}, 0, 1);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      line.append(new String(bytes, offset, length, StandardCharsets.UTF_8));
      int end = line.indexOf("\n");
      while (end >= 0) {
        console.plain(line.substring(0, end));
        line.delete(0, end + 1);
        end = line.indexOf("\n");
      }
    }
  }
}
