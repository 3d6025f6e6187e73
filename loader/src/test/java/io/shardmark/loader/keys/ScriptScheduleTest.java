package io.shardmark.loader.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.sql.script.ScriptPart.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ScriptScheduleTest {
  private static final String ORDER_KEY = "alter table bmsql_oorder add primary key (o_id)";
  private static final String ORDER_INDEX = "create index i on bmsql_oorder (o_c_id)";
  private static final String ORDER_INDEX_2 = "create index j on bmsql_oorder (o_carrier_id)";
  private static final String LINE_ORDER =
      "alter table bmsql_order_line add foreign key (ol_o_id) references bmsql_oorder (o_id)";
  private static final String LINE_STOCK =
      "alter table bmsql_order_line add foreign key (ol_i_id) references bmsql_stock (s_i_id)";
  private static final String STOCK_ITEM =
      "alter table bmsql_stock add foreign key (s_i_id) references bmsql_item (i_id)";
  private static final String DISTRICT_WAREHOUSE =
      "alter table bmsql_district add foreign key (d_w_id) references bmsql_warehouse (w_id)";
  private static final String OTHER = "select setval('s', 1)";

  @Test
  void startsTheLongestFirst() {
    ScriptSchedule schedule = schedule(DISTRICT_WAREHOUSE, STOCK_ITEM);
    assertThat(start(schedule)).isEqualTo(STOCK_ITEM);
    assertThat(start(schedule)).isEqualTo(DISTRICT_WAREHOUSE);
    assertThat(schedule.isDealtOut()).isTrue();
  }

  @Test
  void foreignKeysOnOneTableDoNotWaitForEachOtherInTheServer() {
    ScriptSchedule schedule = schedule(LINE_ORDER, LINE_STOCK);
    ScriptTask first = schedule.start().orElseThrow();
    assertThat(first.statement().text()).isEqualTo(LINE_ORDER);
    assertThat(schedule.start()).isEmpty();
    schedule.ended(first);
    assertThat(start(schedule)).isEqualTo(LINE_STOCK);
  }

  @Test
  void shortStatementsLeaveTheTablesOfABlockedLongOneFree() {
    ScriptSchedule schedule = schedule(LINE_ORDER, LINE_STOCK, STOCK_ITEM, DISTRICT_WAREHOUSE);
    assertThat(start(schedule)).isEqualTo(LINE_ORDER);
    assertThat(start(schedule)).isEqualTo(DISTRICT_WAREHOUSE);
    assertThat(start(schedule)).isEqualTo(STOCK_ITEM);
  }

  @Test
  void indexesOfOneTableAreBuiltSideBySideButNotWithItsKey() {
    ScriptSchedule schedule = schedule(ORDER_INDEX, ORDER_INDEX_2, ORDER_KEY);
    assertThat(start(schedule)).isEqualTo(ORDER_INDEX);
    assertThat(start(schedule)).isEqualTo(ORDER_INDEX_2);
    assertThat(schedule.start()).isEmpty();
  }

  @Test
  void aForeignKeyFollowsTheKeysOfItsTables() {
    ScriptSchedule schedule = schedule(ORDER_KEY, LINE_ORDER, LINE_STOCK);
    ScriptTask stock = schedule.start().orElseThrow();
    assertThat(stock.statement().text()).isEqualTo(LINE_STOCK);
    ScriptTask key = schedule.start().orElseThrow();
    assertThat(key.statement().text()).isEqualTo(ORDER_KEY);
    schedule.ended(stock);
    assertThat(schedule.start()).isEmpty();
    schedule.ended(key);
    assertThat(start(schedule)).isEqualTo(LINE_ORDER);
  }

  @Test
  void aForeignKeyFollowsTheStatisticsOfItsTables() {
    String statistics = "analyze bmsql_oorder (o_w_id, o_id)";
    ScriptSchedule schedule = schedule(statistics, STOCK_ITEM, LINE_ORDER);
    ScriptTask stock = schedule.start().orElseThrow();
    assertThat(stock.statement().text()).isEqualTo(STOCK_ITEM);
    ScriptTask analyze = schedule.start().orElseThrow();
    assertThat(analyze.statement().text()).isEqualTo(statistics);
    assertThat(schedule.start()).isEmpty();
    schedule.ended(analyze);
    assertThat(start(schedule)).isEqualTo(LINE_ORDER);
  }

  @Test
  void anythingElseRunsAloneInItsPlace() {
    ScriptSchedule schedule = schedule(ORDER_KEY, OTHER, STOCK_ITEM);
    ScriptTask key = schedule.start().orElseThrow();
    assertThat(schedule.start()).isEmpty();
    schedule.ended(key);
    ScriptTask other = schedule.start().orElseThrow();
    assertThat(other.statement().text()).isEqualTo(OTHER);
    assertThat(schedule.start()).isEmpty();
    schedule.ended(other);
    assertThat(start(schedule)).isEqualTo(STOCK_ITEM);
  }

  @Test
  void abandonedStartsNothingMore() {
    ScriptSchedule schedule = schedule(ORDER_KEY, STOCK_ITEM);
    ScriptTask running = schedule.start().orElseThrow();
    schedule.abandon();
    assertThat(schedule.start()).isEmpty();
    schedule.ended(running);
    assertThat(schedule.isDealtOut()).isTrue();
  }

  private static ScriptSchedule schedule(String... statements) {
    List<ScriptTask> tasks = new ArrayList<>();
    for (String statement : statements) {
      tasks.add(ScriptTask.of(new Statement(tasks.size() + 1, statement)));
    }
    return new ScriptSchedule(tasks);
  }

  private static String start(ScriptSchedule schedule) {
    Optional<ScriptTask> task = schedule.start();
    return task.map(t -> t.statement().text()).orElse("nothing");
  }
}
