package io.shardmark.driver.report;

import io.shardmark.driver.results.Texts;
import java.util.ArrayList;
import java.util.List;

/**
 * A small line over time, for the first screen: drawn by the browser without a script.
 *
 * @param range smallest and largest value in words
 * @param lines points of the unbroken pieces of the line, as SVG has them in a box of {@value
 *     #WIDTH} by {@value #HEIGHT}
 * @param dots single points
 */
public record Curve(String title, String range, List<String> lines, List<Dot> dots) {
  private static final int WIDTH = 300;
  private static final int HEIGHT = 60;

  public record Dot(String x, String y) {}

  public Curve {
    lines = List.copyOf(lines);
    dots = List.copyOf(dots);
  }

  /**
   * @param values of equal lengths of time, from 0; NaN where there is none
   */
  static Curve of(String title, String range, List<Double> values) {
    double most = values.stream().filter(v -> v > 0).max(Double::compare).orElse(1.0);
    List<String> lines = new ArrayList<>();
    List<Dot> dots = new ArrayList<>();
    List<Dot> piece = new ArrayList<>();
    for (int i = 0; i <= values.size(); i++) {
      if (i < values.size() && !values.get(i).isNaN()) {
        piece.add(
            new Dot(
                coordinate(WIDTH * (i + 0.5) / values.size()),
                coordinate(HEIGHT - 1 - (HEIGHT - 2) * values.get(i) / most)));
        continue;
      }
      if (piece.size() == 1) {
        dots.add(piece.get(0));
      } else if (piece.size() > 1) {
        lines.add(String.join(" ", piece.stream().map(dot -> dot.x() + "," + dot.y()).toList()));
      }
      piece.clear();
    }
    return new Curve(title, range, lines, dots);
  }

  private static String coordinate(double value) {
    return Texts.text("%.1f", value);
  }
}
