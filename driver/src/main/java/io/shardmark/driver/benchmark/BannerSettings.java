package io.shardmark.driver.benchmark;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The benchmark's own settings that the console shows before a run, where BenchmarkSQL shows them:
 * by the name of the key, with the value in effect. What the properties file has of a key is shown
 * as it is there; a key whose value is empty here is only shown if it is in the file.
 *
 * @param scale above the terminals
 * @param terminals below what limits them
 * @param mix in a separate group
 * @param extensions in the last group, in addition to those that every run has
 */
public record BannerSettings(
    Map<String, String> scale,
    Map<String, String> terminals,
    Map<String, String> mix,
    Map<String, String> extensions) {
  public BannerSettings {
    scale = ordered(scale);
    terminals = ordered(terminals);
    mix = ordered(mix);
    extensions = ordered(extensions);
  }

  private static Map<String, String> ordered(Map<String, String> settings) {
    return Collections.unmodifiableMap(new LinkedHashMap<>(settings));
  }
}
