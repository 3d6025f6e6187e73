package io.shardmark.sql.script;

import java.util.List;
import java.util.stream.Stream;

/**
 * The scripts of a benchmark, by the names of their files without {@code .sql}.
 *
 * @param folder in which the folders {@code sql.<db>} and {@code sql.common} are looked for; empty
 *     for those of the working directory and the root of the built-in ones
 * @param beforeLoad what a build runs before the load, in this order
 * @param afterLoad what a build runs after the load, in this order
 * @param destroy what a destroy runs, in this order
 * @param others steps that are only run by name
 */
public record ScriptSet(
    String folder,
    List<String> beforeLoad,
    List<String> afterLoad,
    List<String> destroy,
    List<String> others) {
  public ScriptSet {
    beforeLoad = List.copyOf(beforeLoad);
    afterLoad = List.copyOf(afterLoad);
    destroy = List.copyOf(destroy);
    others = List.copyOf(others);
  }

  /** All of them. */
  public List<String> steps() {
    return Stream.of(beforeLoad, afterLoad, destroy, others).flatMap(List::stream).toList();
  }
}
