package io.shardmark.proxy.routing.ddl;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Replacements in a text, by offsets of the original. They must not overlap. */
final class TextEdits {
  private final List<Edit> edits = new ArrayList<>();

  private record Edit(int from, int to, String text) {}

  TextEdits replace(int from, int to, String text) {
    edits.add(new Edit(from, to, text));
    return this;
  }

  TextEdits insert(int at, String text) {
    return replace(at, at, text);
  }

  boolean isEmpty() {
    return edits.isEmpty();
  }

  /** These and the other ones. */
  TextEdits with(TextEdits others) {
    TextEdits all = new TextEdits();
    all.edits.addAll(edits);
    all.edits.addAll(others.edits);
    return all;
  }

  String apply(String original) {
    StringBuilder result = new StringBuilder(original.length());
    int done = 0;
    for (Edit edit : edits.stream().sorted(Comparator.comparingInt(Edit::from)).toList()) {
      result.append(original, done, edit.from()).append(edit.text());
      done = edit.to();
    }
    return result.append(original, done, original.length()).toString().stripTrailing();
  }
}
