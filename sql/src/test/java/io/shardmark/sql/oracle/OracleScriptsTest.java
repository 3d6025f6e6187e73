package io.shardmark.sql.oracle;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.alibaba.druid.DbType;
import com.alibaba.druid.sql.SQLUtils;
import com.alibaba.druid.sql.ast.SQLStatement;
import com.alibaba.druid.sql.parser.ParserException;
import io.shardmark.config.DatabaseKind;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptParser;
import io.shardmark.sql.script.ScriptPart;
import io.shardmark.sql.script.ScriptStep;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The Oracle scripts, statement by statement, through a parser of Oracle's SQL and PL/SQL that is
 * not Oracle's own. No server runs them here, so names, types and privileges are not checked.
 */
final class OracleScriptsTest {
  private static final Pattern CREATED_TABLE = Pattern.compile("create table (bmsql_\\w+)");

  private static List<SQLStatement> parse(String statement) {
    return SQLUtils.parseStatements(statement, DbType.oracle);
  }

  private static List<String> statements(ScriptStep step) {
    return ScriptParser.parse(
            new ScriptLocator(Path.of("target"), DatabaseKind.ORACLE, ScriptStep.scripts())
                .locate(step))
        .stream()
        .filter(ScriptPart.Statement.class::isInstance)
        .map(part -> ((ScriptPart.Statement) part).text())
        .toList();
  }

  @ParameterizedTest
  @EnumSource(value = ScriptStep.class, mode = EnumSource.Mode.EXCLUDE, names = "TABLE_COPIES")
  void everyStatementIsOracleSyntaxForAParserNotRunOnAServer(ScriptStep step) {
    for (String statement : statements(step)) {
      assertThat(parse(statement)).as(statement).isNotEmpty();
    }
  }

  /** Without them the optimizer plans the first transactions of a run by samples of its own. */
  @Test
  void aBuildEndsWithStatisticsOfEveryTable() {
    List<String> finish = statements(ScriptStep.BUILD_FINISH);
    assertThat(finish).hasSize(1);
    assertThat(finish.get(0)).contains("dbms_stats.gather_table_stats", "cascade => true");
    statements(ScriptStep.TABLE_CREATES).stream()
        .map(CREATED_TABLE::matcher)
        .filter(Matcher::find)
        .forEach(
            table ->
                assertThat(finish.get(0)).contains("'" + table.group(1).toUpperCase(ROOT) + "'"));
  }

  @Test
  void theParserDoesRefuseBrokenPlSql() {
    String body = statements(ScriptStep.STORED_PROCEDURE_CREATES).get(2);
    assertThatThrownBy(() -> parse(body.replaceFirst("end loop;", "")))
        .isInstanceOf(ParserException.class);
  }
}
