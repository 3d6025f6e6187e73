package io.shardmark.loader.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.sql.script.ScriptPart.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ScriptTaskTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "alter table t add constraint t_pkey   primary key (a, b) | KEY | t EXCLUSIVE",
        "ALTER TABLE T ADD PRIMARY KEY(a) | KEY | t EXCLUSIVE",
        "create index i on t (a, b) | KEY | t SHARED",
        "create unique index i on t (a) | KEY | t SHARED",
        "alter table t add constraint f foreign key (a) references r (b)"
            + " | FOREIGN_KEY | t EXCLUSIVE r EXCLUSIVE",
        "alter table t add foreign key (a) references t (b) on delete cascade | OTHER | ''",
        "alter table t add primary key (a), add foreign key (b) references r (c) | OTHER | ''",
        "create index concurrently i on t (a) | OTHER | ''",
        "create index i on t (lower(a)) | OTHER | ''",
        "alter table t alter column a set default 1 | OTHER | ''",
        "select 1 | OTHER | ''"
      })
  void recognisesTheShapesOfTheBuiltInScripts(String sql, ScriptTask.TaskKind kind, String locks) {
    ScriptTask task = ScriptTask.of(new Statement(1, sql));
    assertThat(task.kind()).isEqualTo(kind);
    assertThat(String.join(" ", task.locks().stream().map(ScriptTaskTest::text).toList()))
        .isEqualTo(locks);
  }

  private static String text(TableLock lock) {
    return lock.table() + " " + lock.mode();
  }

  @Test
  void onlyAVacuumOfEverythingIsSplitByTable() {
    assertThat(List.of("vacuum analyze", "VACUUM\n  ANALYZE"))
        .allMatch(sql -> ScriptTask.isVacuumOfAll(new Statement(1, sql)));
    assertThat(List.of("vacuum analyze t", "vacuum", "vacuum full", "analyze"))
        .noneMatch(sql -> ScriptTask.isVacuumOfAll(new Statement(1, sql)));
  }
}
