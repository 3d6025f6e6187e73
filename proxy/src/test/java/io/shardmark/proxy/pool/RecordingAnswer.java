package io.shardmark.proxy.pool;

import io.shardmark.proxy.protocol.Message;
import io.shardmark.proxy.protocol.Trace;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.ArrayList;
import java.util.List;

/** Takes an answer as it is set to, and keeps what it hears, one line for each. */
final class RecordingAnswer implements AnswerHandler {
  private final AnswerHandler.HandlerUse use;
  private final List<String> heard = new ArrayList<>();

  RecordingAnswer(AnswerHandler.HandlerUse use) {
    this.use = use;
  }

  /** What it has heard since the last call. */
  List<String> heard() {
    List<String> lines = List.copyOf(heard);
    heard.clear();
    return lines;
  }

  @Override
  public AnswerHandler.HandlerUse use() {
    return use;
  }

  @Override
  public void message(ServerConnection server, Message message) {
    heard.add(Trace.backend(message.buffer(), message.start(), message.length()));
  }

  @Override
  public void completed(ServerConnection server, TransactionStatus status) {
    heard.add("completed " + status);
  }

  @Override
  public void skipped(ServerConnection server) {
    heard.add("skipped");
  }

  @Override
  public void lost(ServerConnection server) {
    heard.add("lost");
  }
}
