package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.shardmark.driver.guarantees.Guarantees;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of the things compared: a database with its settings, measured at one or more places.
 *
 * @param publication where its figures were published; null if they come from result directories
 * @param points in the order of their places
 * @param conditions the texts of each condition that its runs had, by name; none if not known
 * @param settings the texts of every setting that its runs had, by name
 */
public record ComparedSystem(
    String name,
    @Nullable Publication publication,
    List<ComparedPoint> points,
    Map<String, Set<String>> conditions,
    @JsonIgnore Map<String, Set<String>> settings) {
  /** Where figures were published; address, and the remark for readers, may be empty. */
  public record Publication(String title, String publisher, String address, String remark) {}

  @JsonProperty("published")
  public boolean isPublished() {
    return publication != null;
  }

  /** What its runs were promised, each once; none of figures that others published. */
  public List<Guarantees> guarantees() {
    return isPublished()
        ? List.of()
        : measurements().stream().map(run -> Guarantees.of(run.result())).distinct().toList();
  }

  /** As legends and tables show it: nobody may take published figures for measured ones. */
  public String label() {
    return isPublished() ? name + " (published)" : name;
  }

  public Optional<ComparedPoint> at(Place place) {
    return points.stream().filter(point -> point.place().equals(place)).findFirst();
  }

  /** Scales in ascending order. */
  public List<Integer> scales() {
    return points.stream().map(point -> point.place().number()).distinct().sorted().toList();
  }

  public int runs() {
    return points.stream().mapToInt(point -> point.runs().size()).sum();
  }

  public List<Measurement> measurements() {
    return points.stream().flatMap(point -> point.runs().stream()).toList();
  }
}
