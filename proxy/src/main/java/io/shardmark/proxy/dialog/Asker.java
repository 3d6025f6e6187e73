package io.shardmark.proxy.dialog;

/** Receives the answer to one message that was sent to a server. The client itself is null. */
public interface Asker {
  /** Whether the client gets the whole answer, with its end. */
  boolean passesAll();
}
