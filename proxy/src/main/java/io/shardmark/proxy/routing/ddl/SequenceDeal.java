package io.shardmark.proxy.routing.ddl;

import io.shardmark.proxy.routing.StatementPlan;

/** What setval over several shards means for each of them. */
public final class SequenceDeal {
  private SequenceDeal() {}

  /**
   * The query that sets the sequence on one shard, in one row with one bigint (the client is given
   * the value that it asked for). After it, the shards together go on where one server would: none
   * gives a number twice, the least of the next numbers is the one that setval asks for, and what
   * {@link io.shardmark.proxy.routing.SequencePlanner} reads of them is what setval has set. A
   * shard's last number is one step before its next one; if that is out of bounds, the next one is
   * set, not yet called. Fails as PostgreSQL does on a value out of bounds, and on a sequence whose
   * increment the shards do not share, one that was made past the proxy. No rows if the sequence is
   * NULL.
   *
   * @param value what {@code plan.valueQuery()} gave
   * @param called the sequence has given it already
   * @param shard from 0
   */
  public static String query(
      StatementPlan.SetSequence plan, long value, boolean called, int shard, int shards) {
    // Numeric: the steps beyond a bigint's ends must not fail.
    String next =
        called
            ? "%d::numeric - seqincrement / %d * %d + seqincrement"
                .formatted(value, shards, shards - shard - 1)
            : "%d::numeric + seqincrement / %d * %d".formatted(value, shards, shard);
    // The cast fails, and says why; a constant would fail at planning already.
    return """
    select case when %2$d not between seqmin and seqmax then pg_catalog.setval(%1$s, %2$d) \
    when seqincrement %% %3$d <> 0 then \
    (seqincrement || ' is an increment that %3$d shards cannot share')::bigint \
    when %5$s and next - seqincrement between seqmin and seqmax \
    then pg_catalog.setval(%1$s, (next - seqincrement)::bigint) \
    else pg_catalog.setval(%1$s, next::bigint, false) end \
    from pg_catalog.pg_sequence, lateral (select %4$s) as own (next) where seqrelid = %1$s\
    """
        .formatted(plan.sequence(), value, shards, next, called);
  }

  /** What fails as setval of NULL does, if there is no such sequence. */
  public static String lookingAt(StatementPlan.SetSequence plan) {
    return "select pg_catalog.setval(" + plan.sequence() + ", null)";
  }
}
