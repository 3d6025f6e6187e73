package io.shardmark.proxy.execution;

/** What an Execute with a row limit has left for the next one of its portal. */
public interface SuspendedResult {
  /** The work for a further Execute. */
  ExecutionStep resume(Arguments.BoundArguments further);

  /** Nobody asks for the rest. */
  void close();
}
