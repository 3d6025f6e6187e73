package io.shardmark.driver.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One of the things compared: a database with its settings, measured at one or more places.
 *
 * @param name what it is called
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
  public ComparedSystem {
    points = List.copyOf(points);
    conditions = Collections.unmodifiableMap(new LinkedHashMap<>(conditions));
    settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }

  /**
   * Where figures were published.
   *
   * @param title of the page or paper
   * @param publisher who
   * @param address where; may be empty
   * @param remark what a reader must know
   */
  public record Publication(String title, String publisher, String address, String remark) {}

  @JsonProperty("published")
  public boolean isPublished() {
    return publication != null;
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
