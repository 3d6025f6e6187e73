package io.shardmark.proxy.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.proxy.routing.StatementPlan.Discard;
import io.shardmark.proxy.routing.StatementPlan.Notification;
import io.shardmark.proxy.routing.StatementPlan.SetParameter;
import io.shardmark.proxy.routing.StatementPlan.SetRoute;
import io.shardmark.proxy.routing.StatementPlan.ShowProxy;
import io.shardmark.proxy.sql.KeyFormatException;
import io.shardmark.proxy.sql.StatementSplitter;
import io.shardmark.proxy.sql.Target;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Transaction control and session commands. */
class SessionCommandsTest {
  private static final StatementPlan SESSION_OF_ITS_OWN =
      new StatementPlan.QueryPlan(
          Access.READ,
          new Target.Any(),
          new ScatterStrategy.Sum(),
          Set.of(SessionEffect.PINS_IF_EXECUTED));

  private static PlannedStatement planned(String sql) {
    MapPlans cache = new PlanCache(TestCluster.DDL).of(TestCluster.map());
    return cache.planParse(sql, List.of("public"));
  }

  private static void check(String sql, StatementPlan plan) {
    assertThat(planned(sql).plan()).as(sql).isEqualTo(plan);
  }

  @Test
  void readsTransactionControl() {
    check(
        "begin",
        new StatementPlan.TransactionPlan(StatementPlan.TransactionPlan.TransactionVerb.BEGIN));
    check(
        "BEGIN WORK ISOLATION LEVEL SERIALIZABLE, READ ONLY",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.BEGIN,
            TransactionMode.SERIALIZABLE,
            TransactionMode.READ_ONLY));
    check(
        "START TRANSACTION READ ONLY",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.BEGIN, TransactionMode.READ_ONLY));
    check(
        "END",
        new StatementPlan.TransactionPlan(StatementPlan.TransactionPlan.TransactionVerb.COMMIT));
    check(
        "commit work",
        new StatementPlan.TransactionPlan(StatementPlan.TransactionPlan.TransactionVerb.COMMIT));
    check(
        "COMMIT AND CHAIN",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.COMMIT, true));
    check(
        "ROLLBACK WORK AND CHAIN",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.ROLLBACK, true));
    check(
        "COMMIT AND NO CHAIN",
        new StatementPlan.TransactionPlan(StatementPlan.TransactionPlan.TransactionVerb.COMMIT));
    check("SET NAMES 'utf-8'", new SetParameter("client_encoding", false, false));
    check(
        "ABORT",
        new StatementPlan.TransactionPlan(StatementPlan.TransactionPlan.TransactionVerb.ROLLBACK));
    check(
        "SAVEPOINT a",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.SAVEPOINT, "a"));
    check(
        "RELEASE SAVEPOINT a",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.RELEASE, "a"));
    check(
        "RELEASE a",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.RELEASE, "a"));
    check(
        "ROLLBACK TO a",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.ROLLBACK_TO, "a"));
    check(
        "ROLLBACK TRANSACTION TO SAVEPOINT \"A b\"",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.ROLLBACK_TO, "A b"));
    check(
        "SET TRANSACTION ISOLATION LEVEL READ COMMITTED",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.SET_TRANSACTION,
            TransactionMode.READ_COMMITTED));
    check(
        "SET SESSION TRANSACTION READ ONLY",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.SET_TRANSACTION,
            TransactionMode.READ_ONLY));
    check(
        "SET LOCAL TRANSACTION READ ONLY",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.SET_TRANSACTION,
            TransactionMode.READ_ONLY));
    check(
        "SET transaction_isolation TO 'serializable'",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.SET_TRANSACTION,
            TransactionMode.SERIALIZABLE));
    check(
        "SET SESSION transaction_read_only = off",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.SET_TRANSACTION,
            TransactionMode.READ_WRITE));
    check(
        "SET LOCAL transaction_deferrable = true",
        new StatementPlan.TransactionPlan(
            StatementPlan.TransactionPlan.TransactionVerb.SET_TRANSACTION,
            TransactionMode.DEFERRABLE));
    assertThat(planned("start transaction").tag()).isEqualTo("START TRANSACTION");
  }

  @Test
  void refusesWhatWouldBreakAtomicity() {
    for (String sql :
        List.of(
            "COMMIT PREPARED 'x'",
            "ROLLBACK PREPARED 'x'",
            "SET client_encoding = 'latin1'",
            "SET NAMES 'WIN1252'",
            "SET LOCAL client_encoding TO sjis",
            "SET password_encryption = 'md5'",
            "SET LOCAL password_encryption TO on",
            "SET standard_conforming_strings = off")) {
      assertThat(planned(sql).plan()).as(sql).isInstanceOf(StatementPlan.RefusedPlan.class);
    }
  }

  @Test
  void readsParameters() {
    check("SET work_mem = '4MB'", new SetParameter("work_mem", false, false));
    check("SET SESSION work_mem TO 4", new SetParameter("work_mem", false, false));
    check("SET LOCAL work_mem TO DEFAULT", new SetParameter("work_mem", true, true));
    check("SET Search_Path = a, b", new SetParameter("search_path", false, false));
    check("SET my.param = 1", new SetParameter("my.param", false, false));
    check("SET TIME ZONE 'UTC'", new SetParameter("timezone", false, false));
    check("SET NAMES 'UTF8'", new SetParameter("client_encoding", false, false));
    for (String value : List.of("'scram-sha-256'", "\"scram-sha-256\"")) {
      check(
          "SET password_encryption = " + value,
          new SetParameter("password_encryption", false, false));
    }
    check("RESET password_encryption", new SetParameter("password_encryption", true, false));
    check("SET SCHEMA 'x'", new SetParameter("search_path", false, false));
    check("SET ROLE x", new SetParameter("role", false, false));
    check("SET SESSION AUTHORIZATION x", new SetParameter("session_authorization", false, false));
    check(
        "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL REPEATABLE READ, NOT DEFERRABLE",
        new SetParameter(
            "session characteristics",
            List.of("default_transaction_isolation", "default_transaction_deferrable")));
    check("RESET ALL", new SetParameter("all", true, false));
    check("RESET work_mem", new SetParameter("work_mem", true, false));
    check("SET seed TO 0.5", SESSION_OF_ITS_OWN);
    check(
        "SET standard_conforming_strings = on",
        new SetParameter("standard_conforming_strings", false, false));
  }

  @Test
  void readsRoutesByHand() {
    check("SET shardmark.key = '42'", new SetRoute("shardmark.key", "42"));
    check("SET shardmark.key = -42", new SetRoute("shardmark.key", "-42"));
    check("SET shardmark.shard TO s1", new SetRoute("shardmark.shard", "s1"));
    check("SET shardmark.shard TO DEFAULT", new SetRoute("shardmark.shard", null));
    check("RESET shardmark.key", new SetRoute("shardmark.key", null));
    assertThat(HandRoute.shardOf(TestCluster.oneRule(), new SetRoute("shardmark.key", "42")))
        .isEqualTo(2);
    assertThat(HandRoute.shardOf(TestCluster.map(), new SetRoute("shardmark.shard", "s3")))
        .isEqualTo(3);
    assertThat(HandRoute.shardOf(TestCluster.map(), new SetRoute("shardmark.shard", null)))
        .isEqualTo(-1);
    assertThatThrownBy(
            () -> HandRoute.shardOf(TestCluster.map(), new SetRoute("shardmark.shard", "s9")))
        .isInstanceOf(KeyFormatException.class)
        .hasMessageStartingWith("there is no shard \"s9\", the shards are s0");
  }

  @Test
  void readsTheRest() {
    check("SHOW SHARD MAP", new ShowProxy("shard map"));
    check("DISCARD ALL", new Discard(StatementPlan.Discard.DiscardScope.ALL, ""));
    check("DISCARD PLANS", new Discard(StatementPlan.Discard.DiscardScope.PLANS, ""));
    check("DEALLOCATE ALL", new Discard(StatementPlan.Discard.DiscardScope.STATEMENTS, ""));
    check(
        "DEALLOCATE PREPARE s1", new Discard(StatementPlan.Discard.DiscardScope.STATEMENTS, "s1"));
    check("LISTEN c", new Notification(Notification.Signal.LISTEN, "c"));
    check("UNLISTEN *", new Notification(Notification.Signal.UNLISTEN, "*"));
    check("NOTIFY c, 'x'", new Notification(Notification.Signal.NOTIFY, "c"));
    check(";", new StatementPlan.Empty());
    check("-- nothing", new StatementPlan.Empty());
  }

  @Test
  void splitsStatements() {
    assertThat(
            StatementSplitter.split("SELECT 1; SELECT ';' ;; -- x;\n SELECT $$;$$ /* ; /* ; */ */"))
        .containsExactly("SELECT 1;", "SELECT ';' ;", "-- x;\n SELECT $$;$$ /* ; /* ; */ */");
    String function =
        "CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN true THEN 1 END; SELECT 2; END";
    assertThat(StatementSplitter.split(function + "; SELECT 3"))
        .containsExactly(function + ";", "SELECT 3");
    assertThat(StatementSplitter.split("BEGIN; COMMIT")).containsExactly("BEGIN;", "COMMIT");
    assertThat(StatementSplitter.split(" ; ")).isEmpty();
  }
}
