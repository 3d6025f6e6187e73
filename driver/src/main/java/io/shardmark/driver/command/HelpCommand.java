package io.shardmark.driver.command;

import io.shardmark.config.UsageException;
import io.shardmark.driver.run.ExitStatus;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code help}: what the options {@code --help} of driver.jar and its verbs show. */
@Command(name = "help", description = "Shows the help of a verb.")
final class HelpCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(index = "0", arity = "0..1", paramLabel = "VERB", description = "one of the verbs")
  private @Nullable String verb;

  @Override
  public Integer call() {
    CommandLine root = Objects.requireNonNull(spec).commandLine().getParent();
    CommandLine asked = verb == null ? root : root.getSubcommands().get(verb);
    if (asked == null) {
      throw new UsageException(Shardmark.noVerb(String.valueOf(verb), root));
    }
    asked.usage(root.getOut());
    return ExitStatus.OK;
  }
}
