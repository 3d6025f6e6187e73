package io.shardmark.proxy.session;

import io.shardmark.proxy.execution.StatementException;
import io.shardmark.proxy.execution.Step;
import io.shardmark.proxy.protocol.BackendMessages;

/** Commits or undoes what a pipeline up to Sync did on several shards. */
final class PipelineEnd implements Step {
  private final ClientSession session;
  private final Step ending;

  PipelineEnd(ClientSession session, boolean rollBack) {
    this.session = session;
    this.ending = rollBack ? EndStep.rollback(session) : EndStep.commit(session);
  }

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
      BackendMessages.errorResponse(session.out(), e.fields());
    }
    session.extended().forgetPortals();
    session.readyForQuery();
    return true;
  }
}
