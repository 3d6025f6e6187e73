package io.shardmark.proxy.routing;

import java.util.List;

/** What one server is asked last, with the rows of several shards in its text. */
public sealed interface LastStatement permits FinalQuery, GatheredTables {
  /**
   * Types of the columns of the rows that the shards give, as oids in pg_type, set by set; then
   * each row begins with the number of its set. Empty if there is one set, whose description says.
   */
  List<List<Integer>> typeOids();

  /**
   * The whole text.
   *
   * @param types of the columns of each set, as SQL names them
   * @param values of each column of each set, as the elements of an array in PostgreSQL's text
   *     format
   * @param names of the client's columns
   */
  String text(List<List<String>> types, List<List<String>> values, List<String> names);
}
