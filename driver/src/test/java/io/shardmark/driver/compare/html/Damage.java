package io.shardmark.driver.compare.html;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** Damages files of a result directory as editors, scripts and full disks do. */
final class Damage {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** As they stand in a file: what JSON or a row of numbers may hold and nobody expects. */
  private static final List<String> JSON =
      List.of(
          "null",
          "true",
          "[]",
          "{}",
          "[null]",
          "{\"a\": null}",
          "\"\"",
          "\"x\"",
          "\"NaN\"",
          "0",
          "-1",
          "-0.5",
          "0.5",
          "1e300",
          "-1e300",
          "1e999",
          "-1e999",
          "2147483648",
          "9223372036854775807",
          "-9223372036854775808",
          "12345678901234567890123",
          "\"-Infinity\"",
          "\"" + "LONG_NAME_".repeat(50) + "\"");

  private static final List<String> FIELDS =
      List.of(
          "",
          "x",
          "NaN",
          "Infinity",
          "-1",
          "0",
          "1e300",
          "-1e300",
          "1e999",
          "9223372036854775807",
          "9223372036854775808",
          "-9223372036854775808",
          "1e999999999",
          "\"a,b\"",
          "\u0000",
          "LONG_NAME_".repeat(50));

  private static final String LARGE = "999999999999";

  private final Random random;
  private final List<String> done = new ArrayList<>();

  Damage(Random random) {
    this.random = random;
  }

  /** What was done, for people. */
  @Override
  public String toString() {
    return String.join("; ", done);
  }

  private static boolean isJson(Path file) {
    return file.toString().endsWith(".json");
  }

  private <T> T any(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  /** Damages one file of a directory. */
  void to(Path directory) throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(directory)) {
      files = found.filter(Files::isRegularFile).sorted().toList();
    }
    if (files.isEmpty()) {
      return; // the damage before took the only one
    }
    List<Path> documents = files.stream().filter(Damage::isJson).toList();
    Path file = !documents.isEmpty() && random.nextBoolean() ? any(documents) : any(files);
    int way = random.nextInt(20);
    if (way == 0) {
      done.add("delete " + file.getFileName());
      Files.delete(file);
    } else if (way == 1) {
      byte[] bytes = Files.readAllBytes(file);
      int length = random.nextInt(bytes.length + 1);
      done.add("cut %s after %d bytes".formatted(file.getFileName(), length));
      Files.write(file, Arrays.copyOf(bytes, length));
    } else if (way == 2) {
      byte[] bytes = Files.readAllBytes(file);
      for (int i = 0; i < 5 && bytes.length > 0; i++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      done.add("other bytes in " + file.getFileName());
      Files.write(file, bytes);
    } else if (isJson(file)) {
      toMember(file);
    } else {
      toLine(file);
    }
  }

  private record Member(JsonNode parent, String name, int index) {
    JsonNode value() {
      return parent.isObject() ? parent.path(name) : parent.path(index);
    }
  }

  private static void collect(JsonNode node, List<Member> members) {
    node.fieldNames().forEachRemaining(name -> members.add(new Member(node, name, -1)));
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      members.add(new Member(node, "", i));
    }
    node.forEach(child -> collect(child, members));
  }

  private void toMember(Path file) throws IOException {
    JsonNode root;
    try {
      root = MAPPER.readTree(Files.readAllBytes(file));
    } catch (IOException e) {
      done.add("nothing more: " + e.getClass().getSimpleName());
      return; // no JSON since the damage before
    }
    List<Member> members = new ArrayList<>();
    collect(root, members);
    if (members.isEmpty()) {
      return;
    }
    Member member = any(members);
    String what = member.name() + (member.index() < 0 ? "" : "[" + member.index() + "]");
    String mark = "@damage@";
    String value = any(JSON);
    if (member.parent() instanceof ObjectNode object) {
      if (random.nextInt(4) == 0) {
        done.add("no " + what);
        object.remove(member.name());
      } else {
        done.add(what + " = " + value.substring(0, Math.min(30, value.length())));
        object.put(member.name(), mark);
      }
    } else if (member.parent() instanceof ArrayNode array) {
      int way = random.nextInt(3);
      if (way == 0) {
        done.add("no element " + what);
        array.remove(member.index());
      } else if (way == 1) {
        done.add("twice element " + what);
        array.add(member.value().deepCopy());
      } else {
        done.add("element " + what + " = " + value.substring(0, Math.min(30, value.length())));
        array.set(member.index(), MAPPER.getNodeFactory().textNode(mark));
      }
    }
    Files.writeString(file, root.toPrettyString().replace("\"" + mark + "\"", value));
  }

  private void toLine(Path file) throws IOException {
    String text = Files.readString(file, StandardCharsets.ISO_8859_1);
    List<String> lines = new ArrayList<>(text.lines().toList());
    if (lines.isEmpty()) {
      return;
    }
    // The head is one of a thousand lines and matters as much as all others.
    int index = random.nextInt(4) == 0 ? 0 : random.nextInt(lines.size());
    String line = lines.get(index);
    int way = random.nextInt(8);
    String what = "%s:%d ".formatted(file.getFileName(), index + 1);
    switch (way) {
      case 0 -> lines.remove(index);
      case 1 -> lines.add(line);
      case 2 -> lines.set(index, line.substring(0, random.nextInt(line.length() + 1)));
      case 3 -> lines.set(index, line.replaceFirst("\\d+", LARGE));
      default -> {
        String[] fields = line.split(file.toString().endsWith(".csv") ? "," : "[,=]", -1);
        int field = random.nextInt(fields.length);
        String value = any(FIELDS);
        what += "field %d = %s".formatted(field, value.substring(0, Math.min(30, value.length())));
        fields[field] = value;
        lines.set(index, String.join(line.contains(",") ? "," : "=", fields));
      }
    }
    done.add(what + " (" + way + ")");
    Files.writeString(file, String.join("\n", lines) + "\n", StandardCharsets.ISO_8859_1);
  }
}
