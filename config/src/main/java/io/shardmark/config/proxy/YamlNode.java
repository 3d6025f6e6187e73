package io.shardmark.config.proxy;

import io.shardmark.config.ConfigException;
import io.shardmark.config.Spelling;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/**
 * A value of a YAML document and the path that leads to it. Scalars are texts, so that the password
 * 0123 stays what it is.
 */
final class YamlNode {
  private static final int LONGEST_VALUE_SHOWN = 80;

  private final ProxyConfig.Source source;
  private final String path;
  private final Object value;

  private YamlNode(ProxyConfig.Source source, String path, Object value) {
    this.source = source;
    this.path = path;
    this.value = value;
  }

  static YamlNode document(ProxyConfig.Source source, String text) {
    if (text.lines().allMatch(line -> line.isBlank() || line.startsWith("#"))) {
      return new YamlNode(source, "", "");
    }
    LoadSettings settings =
        LoadSettings.builder().setSchema(new FailsafeSchema()).setAllowDuplicateKeys(false).build();
    try {
      Object value = new Load(settings).loadFromString(text);
      return new YamlNode(source, "", value == null ? "" : value);
    } catch (MarkedYamlEngineException e) {
      // Only the problem: the exception's own message quotes the line, which may hold a password.
      String line =
          e.getProblemMark().map(mark -> "line " + (mark.getLine() + 1) + ": ").orElse("");
      throw new ConfigException(source.name() + ": " + line + "not YAML: " + oneLine(e));
    } catch (YamlEngineException e) {
      throw new ConfigException(source.name() + ": not one YAML document");
    }
  }

  private static String oneLine(MarkedYamlEngineException e) {
    return String.valueOf(e.getProblem()).lines().findFirst().orElse("").strip();
  }

  ProxyConfig.Source source() {
    return source;
  }

  /** A refusal: {@code proxy.yaml: shards[1].port: } and this. */
  ConfigException error(String problem) {
    String place = path.isEmpty() ? "" : path + ": ";
    return new ConfigException(source.name() + ": " + place + problem);
  }

  /** A refusal that quotes the value; not for secrets. */
  ConfigException unfit(String expected) {
    String shown = value instanceof String text ? text : "a mapping or list";
    if (shown.length() > LONGEST_VALUE_SHOWN) {
      shown = shown.substring(0, LONGEST_VALUE_SHOWN) + "...";
    }
    String visible = shown.isEmpty() ? "an empty value" : shown.replaceAll("\\p{Cntrl}", "?");
    return error(visible + " is not " + expected);
  }

  boolean isText() {
    return value instanceof String;
  }

  /** The scalar, not empty. */
  String text(String expected) {
    if (value instanceof String text && !text.isEmpty()) {
      return text;
    }
    throw unfit(expected);
  }

  /** The mapping's values by key; keys that the section does not have are refused. */
  Map<String, YamlNode> mapping(String section) {
    Set<String> known = ProxyKey.namesIn(section);
    Map<String, YamlNode> entries = mapping();
    for (String key : entries.keySet()) {
      if (!known.contains(key)) {
        String hint =
            Spelling.nearest(key, known)
                .map(near -> "; did you mean " + near + "?")
                .orElse("; keys here are " + String.join(", ", known.stream().sorted().toList()));
        throw child(key, "").error("unknown key" + hint);
      }
    }
    return entries;
  }

  /** The mapping's values by key, whatever the keys. */
  Map<String, YamlNode> mapping() {
    if (!(value instanceof Map<?, ?> map)) {
      throw unfit("a mapping (key: value)");
    }
    Map<String, YamlNode> entries = new LinkedHashMap<>();
    map.forEach(
        (key, entry) -> {
          if (!(key instanceof String name)) {
            throw error("a key is not a text");
          }
          entries.put(name, child(name, entry == null ? "" : entry));
        });
    return entries;
  }

  private YamlNode child(String name, Object entry) {
    return new YamlNode(source, path.isEmpty() ? name : path + "." + name, entry);
  }

  List<YamlNode> list() {
    if (!(value instanceof List<?> list)) {
      throw unfit("a list");
    }
    List<YamlNode> elements = new ArrayList<>();
    for (Object element : list) {
      String place = path + "[" + elements.size() + "]";
      elements.add(new YamlNode(source, place, element == null ? "" : element));
    }
    return elements;
  }

  /** An entry of a mapping, or empty. */
  static Optional<YamlNode> get(Map<String, YamlNode> mapping, String key) {
    return Optional.ofNullable(mapping.get(key));
  }

  /** An entry that must be there. */
  YamlNode required(Map<String, YamlNode> mapping, String key) {
    YamlNode entry = mapping.get(key);
    if (entry == null) {
      throw child(key, "").error("is missing");
    }
    return entry;
  }
}
