package io.shardmark.proxy.dialog;

import io.shardmark.proxy.protocol.BackendType;
import io.shardmark.proxy.protocol.TransactionStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a PostgreSQL server does with the messages that it gets, as the protocol's text says it
 * (PG18 §54.2.2 protocol-flow-simple-query, §54.2.3 protocol-flow-ext-query). It takes one message
 * at a time; whether that succeeds is for the caller to choose.
 */
final class PostgresModel {
  /** What a client can send; the number of a statement is in {@link Sent}. */
  enum Command {
    PARSE_UNNAMED,
    PARSE_NAMED,
    BIND,
    DESCRIBE,
    EXECUTE,
    CLOSE_NAMED,
    CLOSE_PORTAL,
    SYNC,
    QUERY,
    /** Query of COMMIT. */
    END,
    /** Parse, Bind and Execute of BEGIN. */
    BEGIN,
    /** Query of BEGIN. */
    BEGIN_QUERY
  }

  /**
   * A message on its way.
   *
   * @param id counts the messages
   * @param inTransaction whether it must not be executed outside of a transaction
   */
  record Sent(int id, Command command, boolean inTransaction) {}

  /**
   * A message of the server.
   *
   * @param id of the message that it answers
   */
  record Said(int id, BackendType type, @Nullable TransactionStatus status) {}

  private final Deque<Sent> inbox = new ArrayDeque<>();
  private final Deque<Said> outbox = new ArrayDeque<>();
  private final TreeSet<Integer> prepared = new TreeSet<>();
  private TransactionStatus status = TransactionStatus.IDLE;
  private boolean skipping;

  /** Something has been executed since the last ReadyForQuery: its commit may fail at a Sync. */
  private boolean executed;

  private int unnamed = -1;
  private boolean clientPortal;

  PostgresModel copy() {
    PostgresModel copy = new PostgresModel();
    copy.inbox.addAll(inbox);
    copy.outbox.addAll(outbox);
    copy.prepared.addAll(prepared);
    copy.status = status;
    copy.skipping = skipping;
    copy.executed = executed;
    copy.unnamed = unnamed;
    copy.clientPortal = clientPortal;
    return copy;
  }

  void receive(Sent message) {
    inbox.add(message);
  }

  boolean hasWork() {
    return !inbox.isEmpty();
  }

  boolean hasSaid() {
    return !outbox.isEmpty();
  }

  Said nextSaid() {
    return outbox.remove();
  }

  boolean isSkipping() {
    return skipping;
  }

  boolean isPrepared(int statement) {
    return prepared.contains(statement);
  }

  /** The message that made the unnamed statement, or -1. */
  int unnamed() {
    return unnamed;
  }

  boolean hasClientPortal() {
    return clientPortal;
  }

  /** Whether the next message can fail. */
  boolean canFail() {
    Sent next = inbox.element();
    return switch (next.command()) {
      case CLOSE_NAMED, CLOSE_PORTAL -> false; // no error even where there is nothing to close
      case SYNC -> executed && status == TransactionStatus.IDLE;
      default -> !skipping;
    };
  }

  /** Whether the next message can succeed. */
  boolean canSucceed() {
    return skipping
        || inbox.element().command() != Command.PARSE_NAMED
        || !prepared.contains(1); // a name is prepared once
  }

  /** Takes the next message, which succeeds. */
  void succeed() {
    Sent message = inbox.remove();
    int id = message.id();
    if (skipping) {
      skip(message);
      return;
    }
    if (message.inTransaction() && status == TransactionStatus.IDLE) {
      throw new AssertionError("executed outside of its transaction: " + message);
    }
    switch (message.command()) {
      case PARSE_UNNAMED -> {
        say(id, BackendType.PARSE_COMPLETE);
        unnamed = id;
      }
      case PARSE_NAMED -> {
        say(id, BackendType.PARSE_COMPLETE);
        prepared.add(1);
      }
      case BIND -> {
        say(id, BackendType.BIND_COMPLETE);
        clientPortal = true;
      }
      case DESCRIBE -> {
        say(id, BackendType.PARAMETER_DESCRIPTION);
        say(id, BackendType.NO_DATA);
      }
      case EXECUTE -> {
        executed = true;
        say(id, BackendType.DATA_ROW);
        say(id, BackendType.COMMAND_COMPLETE);
      }
      case CLOSE_NAMED -> {
        say(id, BackendType.CLOSE_COMPLETE);
        prepared.remove(1);
      }
      case CLOSE_PORTAL -> say(id, BackendType.CLOSE_COMPLETE);
      case SYNC -> ready(id);
      case QUERY -> {
        dropUnnamed();
        say(id, BackendType.ROW_DESCRIPTION);
        say(id, BackendType.COMMAND_COMPLETE);
        ready(id);
      }
      case END -> {
        dropUnnamed();
        say(id, BackendType.COMMAND_COMPLETE);
        status = TransactionStatus.IDLE;
        ready(id);
      }
      case BEGIN -> {
        dropUnnamed();
        say(id, BackendType.PARSE_COMPLETE);
        say(id, BackendType.BIND_COMPLETE);
        say(id, BackendType.COMMAND_COMPLETE);
        status = TransactionStatus.IN_TRANSACTION;
      }
      case BEGIN_QUERY -> {
        dropUnnamed();
        say(id, BackendType.COMMAND_COMPLETE);
        status = TransactionStatus.IN_TRANSACTION;
        ready(id);
      }
    }
  }

  /** Takes the next message, which fails. */
  void fail() {
    Sent message = inbox.remove();
    int id = message.id();
    switch (message.command()) {
      case PARSE_UNNAMED -> unnamed = -1;
      case QUERY, END, BEGIN_QUERY, BEGIN -> dropUnnamed();
      default -> {}
    }
    executed = false;
    clientPortal = false; // the portals of a failed transaction cannot be used any more
    say(id, BackendType.ERROR_RESPONSE);
    if (status == TransactionStatus.IN_TRANSACTION) {
      status = message.command() == Command.END ? TransactionStatus.IDLE : TransactionStatus.FAILED;
    }
    switch (message.command()) {
      case SYNC, QUERY, END, BEGIN_QUERY -> ready(id);
      default -> skipping = true;
    }
  }

  private void skip(Sent message) {
    if (message.command() == Command.SYNC) {
      skipping = false;
      ready(message.id());
    }
  }

  private void dropUnnamed() {
    unnamed = -1;
    clientPortal = false;
  }

  private void ready(int id) {
    executed = false;
    if (status == TransactionStatus.IDLE) {
      clientPortal = false;
    }
    outbox.add(new Said(id, BackendType.READY_FOR_QUERY, status));
  }

  private void say(int id, BackendType type) {
    outbox.add(new Said(id, type, null));
  }

  /** All that decides about what comes next, with ids counted from the given one. */
  String key(int fromId) {
    List<String> parts = new ArrayList<>();
    inbox.forEach(one -> parts.add((one.id() - fromId) + "" + one.command() + one.inTransaction()));
    parts.add("/");
    outbox.forEach(one -> parts.add((one.id() - fromId) + "" + one.type() + one.status()));
    return parts
        + " "
        + status
        + skipping
        + executed
        + prepared
        + (unnamed < 0 ? "-" : unnamed - fromId)
        + clientPortal;
  }
}
