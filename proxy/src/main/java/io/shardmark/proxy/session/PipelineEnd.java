package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.ExecutionStep;
import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.protocol.BackendMessages;

/**
 * Commits or undoes what a pipeline up to Sync did on several shards.
 *
 * @param ending does that; the client gets its error before ReadyForQuery
 */
record PipelineEnd(Client client, ExecutionStep ending) implements ExecutionStep {
  @Override
  public void abandon() {
    ending.abandon();
  }

  @Override
  public boolean advance() {
    try {
      if (!ending.advance()) {
        return false;
      }
    } catch (StatementException e) {
      BackendMessages.errorResponse(client.out(), e.fields());
    }
    client.portals().clear();
    client.readyForQuery();
    return true;
  }
}
