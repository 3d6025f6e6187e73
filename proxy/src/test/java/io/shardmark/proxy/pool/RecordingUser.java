package io.shardmark.proxy.pool;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.dialog.Owed;
import io.shardmark.proxy.protocol.ErrorFields;
import io.shardmark.proxy.protocol.Trace;
import io.shardmark.proxy.protocol.TraceText;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A client that takes what it gets, and keeps what it hears, one line for each. */
final class RecordingUser implements ServerUser {
  private final ByteBuf forwarded = Unpooled.buffer();
  private final List<String> heard = new ArrayList<>();
  private Consumer<ServerConnection> atReady = server -> {};

  /** What it does when all has been answered. */
  void atReady(Consumer<ServerConnection> action) {
    atReady = action;
  }

  /** What the client has got since the last call, one message a line. */
  List<String> got() {
    List<String> lines = TraceText.ofServer(forwarded);
    forwarded.clear();
    return lines;
  }

  /** How many bytes the client has got, also of a message without its end. */
  int gotBytes() {
    return forwarded.readableBytes();
  }

  /** What the session has heard since the last call. */
  List<String> heard() {
    List<String> lines = List.copyOf(heard);
    heard.clear();
    return lines;
  }

  @Override
  public void forward(ServerConnection server, ByteBuf buffer, int start, int length) {
    forwarded.writeBytes(buffer, start, length);
  }

  @Override
  public void reported(ByteBuf buffer, int start, int length) {
    heard.add(Trace.backend(buffer, start, length));
  }

  @Override
  public boolean passesReady(ServerConnection server, TransactionStatus status) {
    return true;
  }

  @Override
  public void ready(ServerConnection server, TransactionStatus status) {
    heard.add("ready " + status);
    atReady.accept(server);
  }

  @Override
  public void failed(ServerConnection server, boolean untilSync) {
    heard.add(untilSync ? "failed until Sync" : "failed");
  }

  @Override
  public void bindSkipped(ServerConnection server, long answer) {
    heard.add("Bind of answer " + answer + " skipped");
  }

  @Override
  public boolean passesError(ServerConnection server, String code) {
    return true;
  }

  @Override
  public ErrorFields named(ServerConnection server, ErrorFields error) {
    return error;
  }

  @Override
  public void foundOutdated() {
    heard.add("outdated");
  }

  @Override
  public int notifier(int serverProcess) {
    return serverProcess + 1000;
  }

  @Override
  public int clientId() {
    return 1;
  }

  @Override
  public void lost(ServerConnection server, Owed owed, String reason) {
    heard.add("lost " + owed + ": " + reason);
  }

  @Override
  public void readComplete(ServerConnection server) {
    heard.add("read");
  }
}
