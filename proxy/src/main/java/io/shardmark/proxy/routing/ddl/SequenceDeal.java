package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;

/** What setval over several shards means for each of them. */
public final class SequenceDeal {
  private SequenceDeal() {}

  /**
   * The query that sets the sequence on one shard, in one row with one bigint (the client is given
   * the value that it asked for). After it, the shards together go on where one server would: none
   * gives a number twice, the least of the next numbers is the one that setval asks for. Fails on a
   * sequence whose increment the shards do not share, one that was made past the proxy.
   *
   * @param value what {@code plan.valueQuery()} gave
   * @param shard from 0
   */
  public static String query(StatementPlan.SetSequence plan, long value, int shard, int shards) {
    String literal = literal(plan);
    // A value that counts as given is not the first one to come.
    int steps = plan.called() ? shard + 1 : shard;
    String own = "seqincrement / %d * %d".formatted(shards, steps);
    // The cast fails for such a sequence, and says why; a constant would fail at planning already.
    return """
    select pg_catalog.setval(%1$s, %2$d + case when seqincrement %% %3$d = 0 then %4$s \
    else (seqincrement || ' is an increment that %3$d shards cannot share')::bigint end, false) \
    from pg_catalog.pg_sequence where seqrelid = %1$s\
    """
        .formatted(literal, value, shards, own);
  }

  /** What fails as setval of NULL does, if there is no such sequence. */
  public static String lookingAt(StatementPlan.SetSequence plan) {
    return "select pg_catalog.setval(" + literal(plan) + ", null)";
  }

  private static String literal(StatementPlan.SetSequence plan) {
    return "'" + plan.sequence().replace("'", "''") + "'::pg_catalog.regclass";
  }
}
