package io.shardmark.driver.adversity;

import io.shardmark.config.ConfigException;
import io.shardmark.config.PlannedEvent;
import io.shardmark.driver.processes.UserCommand;
import io.shardmark.sql.embedded.EmbeddedPart;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The built-in commands of events. */
enum EventCommand {
  /** A process of an embedded database crashes, and starts again after a time. */
  KILL("@kill\\s+(?:(\\S.*?)\\s+)?for\\s+(\\d{1,5})s", "@kill [PART] for 10s") {
    @Override
    EventAction action(Matcher words, EventTarget target) {
      EmbeddedPart part = part(words, target);
      return new PartEvent(part.kill(), seconds(words), part.restart());
    }
  },
  /** A process of an embedded database answers nobody for a time. */
  STOP("@stop\\s+(?:(\\S.*?)\\s+)?for\\s+(\\d{1,5})s", "@stop [PART] for 10s") {
    @Override
    EventAction action(Matcher words, EventTarget target) {
      EmbeddedPart part = part(words, target);
      return new PartEvent(part.pause(), seconds(words), part.resume());
    }
  },
  /** The files of an embedded server are copied. */
  BACKUP("@backup(?:\\s+(\\S.*))?", "@backup [PART]") {
    @Override
    EventAction action(Matcher words, EventTarget target) {
      EmbeddedPart part = part(words, target);
      Runnable backup =
          part.backup()
              .orElseThrow(() -> bad(words, "the name of a server: " + names(target.parts())));
      return new PartEvent(backup, Duration.ZERO, () -> {});
    }
  },
  /** A statement on the database under test. */
  SQL("@sql\\s+(\\S.*)", "@sql STATEMENT") {
    @Override
    EventAction action(Matcher words, EventTarget target) {
      return new SqlEvent(target.connections(), words.group(1));
    }
  },
  /** Many sessions log in at once. */
  SESSIONS("@sessions\\s+([1-9]\\d{0,3})\\s+for\\s+(\\d{1,5})s", "@sessions 200 for 30s") {
    @Override
    EventAction action(Matcher words, EventTarget target) {
      return new SessionStorm(
          target.connections(), Integer.parseInt(words.group(1)), seconds(words));
    }
  };

  private final Pattern form;
  private final String example;

  EventCommand(String form, String example) {
    this.form = Pattern.compile(form);
    this.example = example;
  }

  /**
   * What it does.
   *
   * @param words that match its form
   * @throws ConfigException if the target has no such part
   */
  abstract EventAction action(Matcher words, EventTarget target);

  /**
   * What an event does.
   *
   * @throws ConfigException if its built-in command is not one of these, or names what is not there
   */
  static EventAction of(PlannedEvent event, EventTarget target) {
    return event.isBuiltIn()
        ? found(event, (command, words) -> command.action(words, target))
        : new ShellEvent(
            new UserCommand(
                event.command(),
                target.log().map(Path::toFile).map(Redirect::appendTo).orElse(Redirect.DISCARD)));
  }

  /**
   * Something that a process of an embedded database suffers for a time.
   *
   * @param begin before that time
   * @param end after it, also if the run is over before
   */
  private record PartEvent(Runnable begin, Duration length, Runnable end, CountDownLatch over)
      implements EventAction {
    private PartEvent(Runnable begin, Duration length, Runnable end) {
      this(begin, length, end, new CountDownLatch(1));
    }

    @Override
    public String run() throws InterruptedException {
      if (over.getCount() > 0) {
        begin.run();
        try {
          over.await(length.toNanos(), TimeUnit.NANOSECONDS);
        } finally {
          end.run();
        }
      }
      return "";
    }

    @Override
    public void cancel() {
      over.countDown();
    }
  }

  private record ShellEvent(UserCommand command) implements EventAction {
    @Override
    public String run() throws IOException, InterruptedException {
      command.run();
      return "";
    }

    @Override
    public void cancel() {
      command.cancel();
    }

    @Override
    public void abandon() {
      command.abandon();
    }
  }

  /**
   * Checks an event before there is anything that it could reach.
   *
   * @throws ConfigException if its built-in command is not one of these
   */
  static void check(PlannedEvent event) {
    if (event.isBuiltIn()) {
      found(event, (command, words) -> command);
    }
  }

  private interface CommandUse<T> {
    T of(EventCommand command, Matcher words);
  }

  private static <T> T found(PlannedEvent event, CommandUse<T> use) {
    for (EventCommand command : values()) {
      Matcher words = command.form.matcher(event.command());
      if (words.matches()) {
        return use.of(command, words);
      }
    }
    throw new ConfigException(
        "events='%s': expected one of %s"
            .formatted(
                event.command(),
                List.of(values()).stream()
                    .map(command -> command.example)
                    .collect(Collectors.joining(", "))));
  }

  private static ConfigException bad(Matcher words, String expected) {
    return new ConfigException("events='%s': expected %s".formatted(words.group(), expected));
  }

  private static Duration seconds(Matcher words) {
    return Duration.ofSeconds(Long.parseLong(words.group(2)));
  }

  /** The first part whose name has the word, or is it; the first of all without a word. */
  private static EmbeddedPart part(Matcher words, EventTarget target) {
    String wanted = words.group(1);
    Function<EmbeddedPart, Boolean> named =
        part -> wanted == null || List.of(part.name().split(" ", -1)).contains(wanted);
    return target.parts().stream()
        .filter(part -> named.apply(part) || part.name().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                bad(
                    words,
                    target.parts().isEmpty()
                        ? "conn=embedded:... with it, or a command of your own"
                        : "one of these names: " + names(target.parts())));
  }

  private static String names(List<EmbeddedPart> parts) {
    return parts.stream().map(EmbeddedPart::name).collect(Collectors.joining(", "));
  }
}
