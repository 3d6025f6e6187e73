package io.shardmark.sql.script;

import java.util.List;

/** The steps that make or destroy the TPC-C schema; each is a script of that name. */
public enum ScriptStep {
  TABLE_CREATES("tableCreates"),
  EXTRA_COMMANDS_BEFORE_LOAD("extraCommandsBeforeLoad"),
  STORED_PROCEDURE_CREATES("storedProcedureCreates"),
  INDEX_CREATES("indexCreates"),
  FOREIGN_KEYS("foreignKeys"),
  EXTRA_HIST_ID("extraHistID"),
  BUILD_FINISH("buildFinish"),
  TABLE_DROPS("tableDrops"),
  STORED_PROCEDURE_DROPS("storedProcedureDrops"),
  INDEX_DROPS("indexDrops"),
  TABLE_TRUNCATES("tableTruncates"),
  TABLE_COPIES("tableCopies");

  private static final List<ScriptStep> BEFORE_LOAD =
      List.of(TABLE_CREATES, EXTRA_COMMANDS_BEFORE_LOAD, STORED_PROCEDURE_CREATES);
  private static final List<ScriptStep> AFTER_LOAD =
      List.of(INDEX_CREATES, FOREIGN_KEYS, EXTRA_HIST_ID, BUILD_FINISH);
  private static final List<ScriptStep> DESTROY = List.of(TABLE_DROPS, STORED_PROCEDURE_DROPS);

  private static final List<String> OTHERS =
      names(List.of(INDEX_DROPS, TABLE_TRUNCATES, TABLE_COPIES));

  private final String scriptName;

  ScriptStep(String scriptName) {
    this.scriptName = scriptName;
  }

  /** The script's file name without {@code .sql}. */
  public String scriptName() {
    return scriptName;
  }

  /** All of them, found in the working directory and at the root of the built-in scripts. */
  public static ScriptSet scripts() {
    return new ScriptSet("", names(BEFORE_LOAD), names(AFTER_LOAD), names(DESTROY), OTHERS);
  }

  private static List<String> names(List<ScriptStep> steps) {
    return steps.stream().map(ScriptStep::scriptName).toList();
  }

  /** What a build runs before the load, in BenchmarkSQL 5.1's order. */
  public static List<ScriptStep> beforeLoad() {
    return BEFORE_LOAD;
  }

  /** What a build runs after the load, in BenchmarkSQL 5.1's order. */
  public static List<ScriptStep> afterLoad() {
    return AFTER_LOAD;
  }

  /** What a destroy runs, in BenchmarkSQL 5.1's order. */
  public static List<ScriptStep> destroy() {
    return DESTROY;
  }
}
