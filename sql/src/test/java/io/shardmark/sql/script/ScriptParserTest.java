package io.shardmark.sql.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.sql.script.ScriptPart.Comment;
import io.shardmark.sql.script.ScriptPart.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScriptParserTest {
  private static List<ScriptPart> parse(String text) {
    return ScriptParser.parse(new Script("test.sql", text));
  }

  /**
   * Line ends are written as {@code |} in scripts and results, statements are parted by a slash.
   */
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '!',
      textBlock =
          """
          a line that ends in a semicolon ends the statement  ! select 1;                        ! select 1
          a statement runs over several lines                 ! select|  1|;                     ! select|1|
          two statements on two lines                         ! select 1;|select 2;              ! select 1/select 2
          two statements on one line go out as one text       ! select 1; select 2;              ! select 1; select 2
          text after a semicolon is not split off             ! select 1; select|2;              ! select 1; select|2
          empty lines and blanks are dropped                  ! |  select|||   1;|               ! select|1
          a trailing blank after the semicolon does not count ! select 1;   |select 2;           ! select 1/select 2
          the last statement needs no semicolon               ! select 1;|select 2               ! select 1/select 2
          an escaped semicolon does not end the statement     ! begin|a\\;|b\\;|end;             ! begin|a;|b;|end
          escaped semicolons within a line                    ! a\\; b\\; c;                     ! a; b; c
          a block closed by a line with just a semicolon      ! begin a\\;|end\\;|;              ! begin a;|end;|
          a comment in a statement is left out                ! select|-- why|1;                 ! select|1
          a comment at a line end is sent                     ! select 1 -- why|;                ! select 1 -- why|
          just a semicolon is nothing                         ! ;|select 1;                      ! select 1
          """)
  void splitsStatements(String name, String script, String expected) {
    assertThat(name).isNotBlank();
    String text = script.replace("\\\\", "\\").replace('|', '\n');
    assertThat(parse(text))
        .filteredOn(Statement.class::isInstance)
        .extracting(part -> ((Statement) part).text().replace('\n', '|'))
        .containsExactlyElementsOf(
            List.of(expected.split("/", -1)).stream()
                .map(statement -> statement.replaceAll("\\|$", ""))
                .toList());
  }

  @Test
  void dropsCarriageReturns() {
    assertThat(parse("select\r\n  1;\r\n-- {\r\nblock;\r\n-- }\r\n"))
        .containsExactly(new Statement(1, "select\n1"), new Statement(3, "-- {\nblock;\n-- }"));
  }

  @Test
  void keepsADollarSectionAsItStandsAndGoesOnToTheSemicolon() {
    String script =
        """
        create function f() returns int as
        $$
        begin
          -- a comment stays;

          return 1;
        end;
        $$
        language plpgsql;
        select 1;
        """;
    assertThat(parse(script))
        .containsExactly(
            new Statement(
                1,
                "create function f() returns int as\n$$\nbegin\n  -- a comment stays;\n\n  return 1;\n"
                    + "end;\n$$\nlanguage plpgsql"),
            new Statement(10, "select 1"));
  }

  @Test
  void sendsABlockWithItsMarkerLinesAndAllItsSemicolons() {
    assertThat(parse("-- first\n-- {\nbegin\n\n  a; b;\nend;\n-- } end\nselect 1;"))
        .containsExactly(
            new Comment(1, "-- first"),
            new Statement(2, "-- {\nbegin\n\n  a; b;\nend;\n-- } end"),
            new Statement(8, "select 1"));
  }

  @Test
  void runsABlockAtTheEndOfTheFile() {
    assertThat(parse("-- {\nbegin null; end;\n-- }"))
        .containsExactly(new Statement(1, "-- {\nbegin null; end;\n-- }"));
  }

  @Test
  void showsCommentsAsTheyStandInTheScript() {
    assertThat(parse("  -- why ;\nselect 1;"))
        .containsExactly(new Comment(1, "  -- why ;"), new Statement(2, "select 1"));
  }

  @Test
  void refusesASectionThatDoesNotEnd() {
    assertThatThrownBy(() -> parse("select 1;\n$$\nselect 2;\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "test.sql line 2: a $$ section that does not end, expected a line with just $$");
  }

  @Test
  void refusesABlockThatDoesNotEnd() {
    assertThatThrownBy(() -> parse("-- {\nselect 2;\n"))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "test.sql line 1: a \"-- {\" block that does not end, expected a line \"-- }\"");
  }
}
