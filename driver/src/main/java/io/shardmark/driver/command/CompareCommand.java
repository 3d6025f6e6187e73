package io.shardmark.driver.command;

import io.shardmark.config.ConfigException;
import io.shardmark.config.UsageException;
import io.shardmark.driver.compare.CompareArgument;
import io.shardmark.driver.compare.Comparison.Choices;
import io.shardmark.driver.compare.html.ComparisonFiles;
import io.shardmark.driver.guarantees.GuaranteeCondition;
import io.shardmark.driver.run.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code compare}: runs, sweeps and published figures side by side. */
@Command(
    name = "compare",
    description =
        "Lays runs, directories of runs and published figures side by side: a page, Markdown and"
            + " JSON.")
final class CompareCommand implements Callable<Integer> {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE.html",
      defaultValue = "compare.html",
      description = "the page; .md and .json are written next to it (default: ${DEFAULT-VALUE})")
  @SuppressWarnings("NullAway.Init") // picocli sets it
  private Path output;

  @Option(names = "--title", paramLabel = "TEXT", description = "heading of the page")
  private @Nullable String title;

  @Option(
      names = "--baseline",
      paramLabel = "NAME",
      description = "the system that the others are compared with (default: the first)")
  private @Nullable String baseline;

  @Option(
      names = "--fail-on",
      paramLabel = "CONDITION",
      description = "guarantees!=equal: exit status 4 if the systems do not promise the same")
  private @Nullable String failOn;

  @Option(
      names = "--history",
      description =
          "the runs of a repeated job over time instead: what is usual, and what left it; a page"
              + " and JSON")
  private boolean history;

  @Parameters(
      index = "0..*",
      arity = "1..*",
      paramLabel = "[NAME=]DIR",
      description = {
        "a run's directory, a directory that holds some (a sweep), or one of published figures;",
        "runs of one NAME are one system"
      })
  private List<String> arguments = List.of();

  @Override
  public Integer call() throws IOException {
    for (String argument : arguments) {
      if (argument.endsWith("=") && !Files.exists(Path.of(argument))) {
        throw new UsageException("'%s' has no directory: expected NAME=DIR".formatted(argument));
      }
    }
    Optional<GuaranteeCondition> condition =
        Optional.ofNullable(failOn).map(GuaranteeCondition::parse);
    List<CompareArgument> parsed = arguments.stream().map(CompareArgument::parse).toList();
    if (history) {
      if (baseline != null) {
        throw new ConfigException("--baseline: a history has none; leave it out");
      }
      if (condition.isPresent()) {
        throw new ConfigException("--fail-on: a history has no guarantees; leave it out");
      }
      ComparisonFiles.WrittenHistory written =
          ComparisonFiles.writeHistory(
              parsed, output, Optional.ofNullable(title), System.out::println);
      written.files().forEach(file -> System.out.println("Wrote " + file));
      return written.isWorse() ? ExitStatus.THRESHOLD : ExitStatus.OK;
    }
    Choices choices = new Choices(Optional.ofNullable(title), Optional.ofNullable(baseline));
    ComparisonFiles.Written written =
        ComparisonFiles.write(parsed, output, choices, System.out::println);
    written.files().forEach(file -> System.out.println("Wrote " + file));
    return condition.isPresent() && condition.get().holds(written.guarantees())
        ? ExitStatus.THRESHOLD
        : ExitStatus.OK;
  }
}
