package io.shardmark.sql.script;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
 * @param tables a script whose text has <code>${n}</code> is run once for each number from 1 to
 *     this, in place of it
 */
public record ScriptSet(
    String folder,
    List<String> beforeLoad,
    List<String> afterLoad,
    List<String> destroy,
    List<String> others,
    int tables) {
  private static final String NUMBER = "${n}";

  public ScriptSet {
    beforeLoad = List.copyOf(beforeLoad);
    afterLoad = List.copyOf(afterLoad);
    destroy = List.copyOf(destroy);
    others = List.copyOf(others);
  }

  /** Scripts that are run once. */
  public ScriptSet(
      String folder,
      List<String> beforeLoad,
      List<String> afterLoad,
      List<String> destroy,
      List<String> others) {
    this(folder, beforeLoad, afterLoad, destroy, others, 1);
  }

  /** A script's text as it is run. */
  Script numbered(Script script) {
    if (!script.text().contains(NUMBER)) {
      return script;
    }
    String text =
        IntStream.rangeClosed(1, tables)
            .mapToObj(n -> script.text().replace(NUMBER, Integer.toString(n)))
            .collect(Collectors.joining("\n"));
    return new Script(script.location(), text, script.included());
  }

  /** All of them. */
  public List<String> steps() {
    return Stream.of(beforeLoad, afterLoad, destroy, others).flatMap(List::stream).toList();
  }
}
