package io.shardmark.proxy.scripted;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.shardmark.proxy.protocol.TraceReader;
import io.shardmark.proxy.protocol.TraceText;
import java.util.ArrayList;
import java.util.List;

/**
 * The server's end of a connection. {@link #play} states an exchange: what the server gets (lines
 * that begin with F) and what it says then (lines that begin with B).
 */
public final class ScriptedServer {
  private final EmbeddedChannel channel = new EmbeddedChannel();

  /** The proxy's end. */
  public EmbeddedChannel channel() {
    return channel;
  }

  /**
   * Compares what has been sent to the server with the lines that begin with F, exactly and in
   * order, and sends those that begin with B. Nothing else may have been sent at the end.
   *
   * @param script one message a line, as a trace prints it
   */
  public void play(String script) {
    List<String> due = new ArrayList<>();
    List<String> said = new ArrayList<>();
    for (String line : script.strip().split("\n", -1)) {
      if (line.startsWith("F ")) {
        say(said);
        due.add(line);
      } else {
        assertReceived(due);
        said.add(line);
      }
    }
    say(said);
    assertReceived(due);
    assertThat(received()).as("sent besides the script").isEmpty();
  }

  private void assertReceived(List<String> due) {
    if (!due.isEmpty()) {
      assertThat(received()).containsExactlyElementsOf(due);
      due.clear();
    }
  }

  private void say(List<String> lines) {
    if (!lines.isEmpty()) {
      says(lines.toArray(String[]::new));
      lines.clear();
    }
  }

  /** Sends these messages in one piece. */
  public void says(String... lines) {
    ByteBuf out = Unpooled.buffer();
    for (String line : lines) {
      TraceReader.write(out, line);
    }
    channel.writeInbound(out);
  }

  /** All that has been sent to the server since the last call, one message a line. */
  public List<String> received() {
    ByteBuf all = Unpooled.buffer();
    for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
      all.writeBytes(part);
      part.release();
    }
    return TraceText.ofClient(all);
  }

  /** Breaks the connection off. */
  public void breakOff() {
    channel.close().syncUninterruptibly();
    channel.runPendingTasks();
  }

  /** Whether the proxy has closed the connection. */
  public boolean isClosed() {
    return !channel.isOpen();
  }
}
