package io.shardmark.driver.script;

import io.shardmark.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads one file, in pgbench's syntax, into steps. */
final class ScriptParser {
  private static final Map<String, Long> UNITS =
      Map.of("us", 1_000L, "ms", 1_000_000L, "s", 1_000_000_000L, "", 1_000_000_000L);
  private static final String KNOWN =
      "\\set, \\if, \\elif, \\else, \\endif, \\gset, \\sleep, \\startpipeline, \\syncpipeline or"
          + " \\endpipeline";

  private final ScriptLexer lexer;
  private final VariableNames variables;
  private boolean inPipeline;

  /** The command that ended a block; null at the end of the file. */
  private ScriptLexer.@Nullable Command ending;

  private ScriptParser(String file, String text, VariableNames variables) {
    lexer = new ScriptLexer(file, text, variables);
    this.variables = variables;
  }

  /**
   * @param file its name in messages
   * @throws ConfigException if it is no script, with the line
   */
  static List<ScriptCommand> parse(String file, String text, VariableNames variables) {
    ScriptParser parser = new ScriptParser(file, text, variables);
    List<ScriptCommand> steps = parser.block();
    ScriptLexer.Command ending = parser.ending;
    if (ending != null) {
      throw ending.wrong("has no \\if or \\startpipeline before it");
    }
    if (steps.isEmpty()) {
      throw new ConfigException(file + ": the script is empty: expected statements");
    }
    return steps;
  }

  /** The steps up to a command that ends a block. */
  private List<ScriptCommand> block() {
    List<ScriptCommand> steps = new ArrayList<>();
    ending = null;
    while (lexer.hasMore()) {
      SqlStatement statement = lexer.statement();
      ScriptLexer.Command command = lexer.command();
      if (statement != null) {
        steps.add(step(statement, command));
      }
      if (command == null || command.name().equals("gset")) {
        if (statement == null && command != null) {
          throw command.wrong("ends no query: expected a statement before it");
        }
        continue;
      }
      if (List.of("elif", "else", "endif", "endpipeline").contains(command.name())) {
        ending = command;
        return steps;
      }
      steps.add(step(command));
    }
    return steps;
  }

  private ScriptCommand step(SqlStatement statement, ScriptLexer.@Nullable Command command) {
    if (command == null || !command.name().equals("gset")) {
      return new ScriptCommand.Execute(statement);
    }
    if (inPipeline) {
      throw command.wrong("is not possible in a pipeline, whose answers come at its end");
    }
    if (!command.arguments().isEmpty() && !VariableNames.isName(command.arguments())) {
      throw command.wrong("expected no argument or a prefix of variables' names");
    }
    variables.setByQuery();
    return new ScriptCommand.QueryCommand(statement, command.arguments());
  }

  private ScriptCommand step(ScriptLexer.Command command) {
    return switch (command.name()) {
      case "set" -> assign(command);
      case "if" -> choose(command);
      case "sleep" -> sleep(command);
      case "startpipeline" -> pipeline(command);
      case "syncpipeline" -> {
        if (!inPipeline) {
          throw command.wrong("has no \\startpipeline before it");
        }
        yield new ScriptCommand.Synchronize();
      }
      default -> throw command.wrong("is unknown: expected " + KNOWN);
    };
  }

  private ScriptCommand assign(ScriptLexer.Command command) {
    String[] words = command.arguments().split("\\s+", 2);
    if (words.length < 2 || !VariableNames.isName(words[0])) {
      throw command.wrong("expected a variable's name and an expression");
    }
    Expression value = expression(command, words[1]);
    variables.set(words[0]);
    return new ScriptCommand.Assign(words[0], value, command.place());
  }

  private Expression expression(ScriptLexer.Command command, String text) {
    try {
      return ExpressionParser.parse(text, name -> variables.read(name, command.place()));
    } catch (ScriptException e) {
      throw command.wrong(String.valueOf(e.getMessage()));
    }
  }

  private ScriptCommand choose(ScriptLexer.Command command) {
    Expression condition = expression(command, command.arguments());
    List<ScriptCommand> then = block();
    List<ScriptCommand> otherwise = List.of();
    ScriptLexer.Command end = ended(command, "\\endif");
    if (end.name().equals("elif")) {
      return new ScriptCommand.Choose(condition, then, List.of(choose(end)), command.place());
    }
    if (end.name().equals("else")) {
      otherwise = block();
      end = ended(command, "\\endif");
    }
    if (!end.name().equals("endif")) {
      throw end.wrong("expected the \\endif of " + command.place());
    }
    return new ScriptCommand.Choose(condition, then, otherwise, command.place());
  }

  private ScriptLexer.Command ended(ScriptLexer.Command begun, String expected) {
    ScriptLexer.Command end = ending;
    if (end == null) {
      throw begun.wrong("has no end: expected " + expected);
    }
    ending = null;
    return end;
  }

  private ScriptCommand pipeline(ScriptLexer.Command command) {
    if (inPipeline) {
      throw command.wrong("is already in a pipeline");
    }
    inPipeline = true;
    List<ScriptCommand> steps = block();
    ScriptLexer.Command end = ended(command, "\\endpipeline");
    if (!end.name().equals("endpipeline")) {
      throw end.wrong("expected the \\endpipeline of " + command.place());
    }
    inPipeline = false;
    return new ScriptCommand.Pipeline(steps);
  }

  private ScriptCommand sleep(ScriptLexer.Command command) {
    String[] words = command.arguments().split("\\s+", 2);
    Long unit = UNITS.get(words.length < 2 ? "" : words[1].toLowerCase(Locale.ROOT));
    if (unit == null || !words[0].matches("\\d+|:[\\p{L}_][\\p{L}\\d_]*")) {
      throw command.wrong("expected a whole number or a :variable, then us, ms or s");
    }
    return new ScriptCommand.Sleep(expression(command, words[0]), unit, command.place());
  }
}
