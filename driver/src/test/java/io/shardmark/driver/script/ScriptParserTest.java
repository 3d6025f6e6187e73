package io.shardmark.driver.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file becomes, and where a file that is no script is wrong. */
final class ScriptParserTest {
  private static List<String> statements(String text) {
    return ScriptFixture.mix(text).parts().get(0).steps().stream()
        .filter(ScriptCommand.Execute.class::isInstance)
        .map(step -> ((ScriptCommand.Execute) step).statement().text())
        .toList();
  }

  @Test
  void statementsEndAtSemicolonsOrCommands() {
    assertThat(
            statements(
                """
                -- a remark; with a semicolon
                SELECT 1;

                UPDATE t -- behind it
                  SET a = 2
                \\set x 3
                SELECT 'it''s; \\ here', "a;b", E'\\';', $$ ; $$, $f$ ; $$ $f$ /* ; */; ;
                SELECT 5\
                """))
        .containsExactly(
            "SELECT 1",
            "UPDATE t \n  SET a = 2",
            "SELECT 'it''s; \\ here', \"a;b\", E'\\';', $$ ; $$, $f$ ; $$ $f$ /* ; */",
            "SELECT 5");
  }

  @Test
  void variablesBecomeParametersButNotCastsSlicesAndLiterals() {
    ScriptMix mix =
        ScriptFixture.mix(
            """
            \\set id 7
            \\set id2 8
            SELECT a[1:2], :id::text, ':no', b ? 'k', (:id2) WHERE x=:id;""");
    ScriptCommand.Execute step = (ScriptCommand.Execute) mix.parts().get(0).steps().get(2);
    assertThat(step.statement().text())
        .isEqualTo("SELECT a[1:2], ?::text, ':no', b ?? 'k', (?) WHERE x=?");
    assertThat(step.statement().parameters()).containsExactly("id", "id2", "id");
  }

  @Test
  void commandsGoOnAfterABackslashAtTheEndOfTheLine() {
    ScriptMix mix = ScriptFixture.mix("\\set a 1 + \\\n  2 * \\\r\n 3\nSELECT :a;");
    ScriptCommand.Assign assign = (ScriptCommand.Assign) mix.parts().get(0).steps().get(0);
    ScriptTerminal.ScriptInput input =
        (ScriptTerminal.ScriptInput) ScriptFixture.terminal(mix, 1).next();
    assertThat(assign.value().evaluate(input.newScope())).isEqualTo(new Value.Whole(7));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '^',
      quoteCharacter = '"',
      value = {
        "SELECT 1;~\\set a randon(1, 2)~ ^ my.sql:2: \\set unknown function 'randon', expected one"
            + " of pgbench's",
        "\\set a random(1) ^ my.sql:1: \\set random has 1 arguments, expected 2",
        "\\set a least() ^ my.sql:1: \\set least has 0 arguments, expected one or more",
        "\\set a 1 + ^ my.sql:1: \\set expected a number, a :variable, a function or '(', found the"
            + " end",
        "\\set a (1 ^ my.sql:1: \\set expected ')', found the end",
        "\\set a 1 2 ^ my.sql:1: \\set expected an operator or the end of the line, found '2'",
        "\\set a 1 ; ^ my.sql:1: \\set expected an expression, found ';'",
        "\\set a 99999999999999999999 ^ my.sql:1: \\set expected an integer of 64 bits, found"
            + " '99999999999999999999'",
        "\\set a case 1 end ^ my.sql:1: \\set expected 'when', found '1'",
        "\\set a ^ my.sql:1: \\set expected a variable's name and an expression",
        "~~SELECT :aid; ^ my.sql:3: the variable :aid is set nowhere: expected \\set aid or"
            + " scriptVariables=aid=...",
        "\\set a 1~SELECT ':a'; ^ my.sql:2: the variable :a is in quotes: expected it outside,"
            + " as in 'text' || :name",
        "\\if 1~SELECT 1; ^ my.sql:1: \\if has no end: expected \\endif",
        "\\if 1~\\else~\\elif 2~\\endif ^ my.sql:3: \\elif expected the \\endif of my.sql:1",
        "SELECT 1;~\\endif ^ my.sql:2: \\endif has no \\if or \\startpipeline before it",
        "\\startpipeline~SELECT 1; ^ my.sql:1: \\startpipeline has no end: expected \\endpipeline",
        "\\if 1~\\startpipeline~\\endif ^ my.sql:3: \\endif expected the \\endpipeline of my.sql:2",
        "\\startpipeline~\\startpipeline ^ my.sql:2: \\startpipeline is already in a pipeline",
        "\\syncpipeline ^ my.sql:1: \\syncpipeline has no \\startpipeline before it",
        "\\startpipeline~SELECT 1 AS a \\gset ^ my.sql:2: \\gset is not possible in a pipeline,"
            + " whose answers come at its end",
        "\\gset ^ my.sql:1: \\gset ends no query: expected a statement before it",
        "\\sleep soon ^ my.sql:1: \\sleep expected a whole number or a :variable, then us, ms or s",
        "\\shell ls ^ my.sql:1: \\shell is unknown: expected \\set, \\if, \\elif, \\else, \\endif,"
            + " \\gset, \\sleep, \\startpipeline, \\syncpipeline or \\endpipeline",
        "SELECT 1 \\; SELECT 2; ^ my.sql:1: \\; is unknown: expected \\set, \\if, \\elif, \\else,"
            + " \\endif, \\gset, \\sleep, \\startpipeline, \\syncpipeline or \\endpipeline",
        "SELECT 'a ^ my.sql:1: what begins here has no end: expected '",
        "-- nothing ^ my.sql: the script is empty: expected statements",
      })
  void aMistakeIsToldWithItsLine(String text, String message) {
    assertThatThrownBy(() -> ScriptFixture.mix(text.replace('~', '\n')))
        .isInstanceOf(ConfigException.class)
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "BEGIN, BEGIN",
    "begin isolation level serializable, BEGIN",
    "START TRANSACTION, BEGIN",
    "/* x */ END, END",
    "COMMIT, END",
    "ROLLBACK, END",
    "ROLLBACK TO SAVEPOINT a, OTHER",
    "COMMIT PREPARED 'x', OTHER",
    "COMMIT AND CHAIN, OTHER",
    "SELECT 1, OTHER",
  })
  void statementsThatBeginAndEndTransactionsAreKnown(
      String text, SqlStatement.ScriptStatementKind kind) {
    assertThat(SqlStatement.of(text, List.of(), "").kind()).isEqualTo(kind);
  }
}
