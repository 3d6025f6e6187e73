package io.shardmark.proxy.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes a server's messages of the lines that {@link Trace} prints, so that a test can state a
 * whole exchange as text. The length may be left out; of a RowDescription only the columns' names
 * are read, which are of type text.
 */
public final class TraceReader {
  private final String line;
  private final List<String> words;
  private int at;

  private TraceReader(String line) {
    this.line = line;
    this.words = words(line);
  }

  /** Appends the message of that line to the buffer. */
  public static void write(ByteBuf out, String line) {
    TraceReader reader = new TraceReader(line);
    String sender = reader.next();
    String name = reader.next();
    BackendType type =
        Arrays.stream(BackendType.values())
            .filter(one -> one.messageName().equals(name))
            .findFirst()
            .orElseThrow(() -> new AssertionError("no backend message: " + line));
    if (!sender.equals("B")) {
      throw new AssertionError("no line of a server: " + line);
    }
    reader.message(type).encode(out);
  }

  private BackendMessage message(BackendType type) {
    for (BackendMessage.Bodiless one : BackendMessage.Bodiless.values()) {
      if (one.type() == type) {
        return one;
      }
    }
    return switch (type) {
      case READY_FOR_QUERY ->
          new BackendMessage.ReadyForQuery(TransactionStatus.of((byte) last().charAt(0)));
      case COMMAND_COMPLETE -> new BackendMessage.CommandComplete(last());
      case COPY_DATA -> new BackendMessage.CopyData(Bytes.ofText(last()));
      case DATA_ROW -> new BackendMessage.DataRow(values());
      case ROW_DESCRIPTION ->
          new BackendMessage.RowDescription(quoted().stream().map(RowField::text).toList());
      case PARAMETER_DESCRIPTION ->
          new BackendMessage.ParameterDescription(
              values().stream().map(oid -> Integer.valueOf(String.valueOf(oid))).toList());
      case PARAMETER_STATUS -> new BackendMessage.ParameterStatus(quoted().get(0), quoted().get(1));
      case NOTIFICATION_RESPONSE ->
          new BackendMessage.NotificationResponse(
              Integer.parseInt(words.get(words.size() - 3)), quoted().get(0), quoted().get(1));
      case ERROR_RESPONSE -> new BackendMessage.ErrorResponse(error());
      case NOTICE_RESPONSE -> new BackendMessage.NoticeResponse(error());
      case COPY_IN_RESPONSE, COPY_OUT_RESPONSE ->
          new BackendMessage.CopyResponse(type, new CopyFormats(0, List.of(0)));
      default -> throw new AssertionError("no test has needed it yet: " + line);
    };
  }

  private String next() {
    return words.get(at++);
  }

  private String last() {
    return unquoted(words.get(words.size() - 1));
  }

  private List<String> quoted() {
    return words.stream().filter(word -> word.startsWith("\"")).map(TraceReader::unquoted).toList();
  }

  /** A count, then as many values: all that follows the last number that counts the rest. */
  private List<@Nullable Bytes> values() {
    for (int i = at; i < words.size(); i++) {
      if (words.get(i).equals(Integer.toString(words.size() - i - 1))) {
        List<@Nullable Bytes> values = new ArrayList<>();
        for (String word : words.subList(i + 1, words.size())) {
          values.add(word.equals("NULL") ? null : Bytes.ofText(unquoted(word)));
        }
        return values;
      }
    }
    throw new AssertionError("no count of values: " + line);
  }

  private ErrorFields error() {
    int fields = words.indexOf("S");
    return new ErrorFields(
        Severity.valueOf(unquoted(words.get(fields + 1)).toUpperCase(Locale.ROOT)),
        new SqlState(unquoted(words.get(fields + 3))),
        unquoted(words.get(fields + 5)),
        null,
        null,
        null,
        Map.of());
  }

  private static String unquoted(String word) {
    return word.startsWith("\"") || word.startsWith("'")
        ? word.substring(1, word.length() - 1).replace("\\n", "\n").replace("\\\"", "\"")
        : word;
  }

  /** At spaces outside of quotes. */
  private static List<String> words(String line) {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    char quote = ' ';
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && quote == '"') {
        word.append(c).append(line.charAt(++i));
        continue;
      }
      if (c == '"' || (c == '\'' && quote != '"')) {
        quote = quote == ' ' ? c : ' ';
      }
      if (c == ' ' && quote == ' ') {
        words.add(word.toString());
        word.setLength(0);
      } else {
        word.append(c);
      }
    }
    words.add(word.toString());
    return words;
  }
}
