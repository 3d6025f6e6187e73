package io.shardmark.proxy.commit;

/**
 * For every state (after "#") the events that may come, the state they lead to and what is to be
 * done. An event that is not listed is illegal there.
 */
final class CommitTable {
  static final String TEXT =
      """
      # preparing
      lost 0: Aborting[failure=ConnectionLost[shard=0], preparing={1}, ending={2, 3}, undoing={}, left={0}] -> Rollback[2]
      prepared 1: Preparing[awaited={}, prepared={0, 1}, readers={3}]
      rolled back 1: Aborting[failure=AnsweredRollback[shard=1], preparing={}, ending={1, 2, 3}, undoing={0}, left={}] -> Rollback[1] Rollback[2] RollbackPrepared[0]
      failed 1: Aborting[failure=ServerError[shard=1], preparing={}, ending={1, 2, 3}, undoing={0}, left={}] -> Rollback[1] Rollback[2] RollbackPrepared[0]
      lost 1: Aborting[failure=ConnectionLost[shard=1], preparing={}, ending={2, 3}, undoing={0}, left={1}] -> Rollback[2] RollbackPrepared[0]
      lost 2: Aborting[failure=ConnectionLost[shard=2], preparing={1}, ending={3}, undoing={0}, left={}] -> RollbackPrepared[0]
      committed 3: Preparing[awaited={1}, prepared={0}, readers={}]
      rolled back 3: Aborting[failure=AnsweredRollback[shard=3], preparing={1}, ending={2, 3}, undoing={0}, left={}] -> Rollback[2] Rollback[3] RollbackPrepared[0]
      failed 3: Aborting[failure=ServerError[shard=3], preparing={1}, ending={2, 3}, undoing={0}, left={}] -> Rollback[2] Rollback[3] RollbackPrepared[0]
      lost 3: Aborting[failure=ConnectionLost[shard=3], preparing={1}, ending={2}, undoing={0}, left={}] -> Rollback[2] RollbackPrepared[0]
      lost 4: stays
      # preparing, last
      lost 0: Aborting[failure=ConnectionLost[shard=0], preparing={1}, ending={2}, undoing={}, left={0}] -> Rollback[2]
      prepared 1: Deciding[prepared={0, 1}, left={}] -> Decide[2]
      rolled back 1: Aborting[failure=AnsweredRollback[shard=1], preparing={}, ending={1, 2}, undoing={0}, left={}] -> Rollback[1] Rollback[2] RollbackPrepared[0]
      failed 1: Aborting[failure=ServerError[shard=1], preparing={}, ending={1, 2}, undoing={0}, left={}] -> Rollback[1] Rollback[2] RollbackPrepared[0]
      lost 1: Aborting[failure=ConnectionLost[shard=1], preparing={}, ending={2}, undoing={0}, left={1}] -> Rollback[2] RollbackPrepared[0]
      lost 2: Aborting[failure=ConnectionLost[shard=2], preparing={1}, ending={}, undoing={0}, left={}] -> RollbackPrepared[0]
      lost 3: stays
      lost 4: stays
      # deciding
      lost 0: Deciding[prepared={1}, left={0}]
      lost 1: Deciding[prepared={0}, left={1}]
      committed 2: Committing[awaited={0, 1}, left={}] -> CommitPrepared[0] CommitPrepared[1]
      rolled back 2: Aborting[failure=AnsweredRollback[shard=2], preparing={}, ending={2}, undoing={0, 1}, left={}] -> Rollback[2] RollbackPrepared[0] RollbackPrepared[1]
      failed 2: Aborting[failure=ServerError[shard=2], preparing={}, ending={2}, undoing={0, 1}, left={}] -> Rollback[2] RollbackPrepared[0] RollbackPrepared[1]
      lost 2: Undecided[prepared={0, 1}, left={}] -> AskAnchor[2]
      lost 3: stays
      lost 4: stays
      decision taken: Aborting[failure=DecidedByRecovery[], preparing={}, ending={2}, undoing={0, 1}, left={}] -> Rollback[2] RollbackPrepared[0] RollbackPrepared[1]
      # deciding, one lost
      lost 0: Deciding[prepared={}, left={0, 1}]
      lost 1: stays
      committed 2: Committing[awaited={0}, left={1}] -> CommitPrepared[0]
      rolled back 2: Aborting[failure=AnsweredRollback[shard=2], preparing={}, ending={2}, undoing={0}, left={1}] -> Rollback[2] RollbackPrepared[0]
      failed 2: Aborting[failure=ServerError[shard=2], preparing={}, ending={2}, undoing={0}, left={1}] -> Rollback[2] RollbackPrepared[0]
      lost 2: Undecided[prepared={0}, left={1}] -> AskAnchor[2]
      lost 3: stays
      lost 4: stays
      decision taken: Aborting[failure=DecidedByRecovery[], preparing={}, ending={2}, undoing={0}, left={1}] -> Rollback[2] RollbackPrepared[0]
      # undecided
      lost 0: Undecided[prepared={}, left={0, 1}]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      outcome COMMITTED: Committing[awaited={0}, left={1}] -> CommitPrepared[0]
      outcome ABORTED: Aborting[failure=ConnectionLost[shard=2], preparing={}, ending={}, undoing={0}, left={1}] -> RollbackPrepared[0]
      outcome UNKNOWN: Done[outcome=UNKNOWN] -> AnswerUnknown[] Recover[]
      # committing
      committed prepared 0: Committing[awaited={1}, left={}]
      failed 0: Committing[awaited={1}, left={0}]
      lost 0: Committing[awaited={1}, left={0}]
      committed prepared 1: Committing[awaited={0}, left={}]
      failed 1: Committing[awaited={0}, left={1}]
      lost 1: Committing[awaited={0}, left={1}]
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # committing, last
      committed prepared 0: Done[outcome=COMMITTED] -> AnswerCommitted[]
      failed 0: Done[outcome=COMMITTED] -> AnswerCommitted[] Recover[]
      lost 0: Done[outcome=COMMITTED] -> AnswerCommitted[] Recover[]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # aborting
      prepared 0: Aborting[failure=ServerError[shard=1], preparing={}, ending={2, 3}, undoing={0, 1}, left={}] -> RollbackPrepared[0]
      rolled back 0: Aborting[failure=ServerError[shard=1], preparing={}, ending={2, 3}, undoing={1}, left={}]
      failed 0: Aborting[failure=ServerError[shard=1], preparing={}, ending={0, 2, 3}, undoing={1}, left={}] -> Rollback[0]
      lost 0: Aborting[failure=ServerError[shard=1], preparing={}, ending={2, 3}, undoing={1}, left={0}]
      rolled back 1: Aborting[failure=ServerError[shard=1], preparing={0}, ending={2, 3}, undoing={}, left={}]
      failed 1: Aborting[failure=ServerError[shard=1], preparing={0}, ending={2, 3}, undoing={}, left={1}]
      lost 1: Aborting[failure=ServerError[shard=1], preparing={0}, ending={2, 3}, undoing={}, left={1}]
      committed 2: Aborting[failure=ServerError[shard=1], preparing={0}, ending={3}, undoing={1}, left={}]
      rolled back 2: Aborting[failure=ServerError[shard=1], preparing={0}, ending={3}, undoing={1}, left={}]
      failed 2: Aborting[failure=ServerError[shard=1], preparing={0}, ending={3}, undoing={1}, left={}]
      lost 2: Aborting[failure=ServerError[shard=1], preparing={0}, ending={3}, undoing={1}, left={}]
      committed 3: Aborting[failure=ServerError[shard=1], preparing={0}, ending={2}, undoing={1}, left={}]
      rolled back 3: Aborting[failure=ServerError[shard=1], preparing={0}, ending={2}, undoing={1}, left={}]
      failed 3: Aborting[failure=ServerError[shard=1], preparing={0}, ending={2}, undoing={1}, left={}]
      lost 3: Aborting[failure=ServerError[shard=1], preparing={0}, ending={2}, undoing={1}, left={}]
      lost 4: stays
      # aborting, last
      rolled back 0: Done[outcome=ABORTED] -> AnswerFailed[ServerError[1]]
      failed 0: Done[outcome=ABORTED] -> AnswerFailed[ServerError[1]] Recover[]
      lost 0: Done[outcome=ABORTED] -> AnswerFailed[ServerError[1]] Recover[]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # local, both
      committed 0: CommittingLocally[awaited={3}, failure=Optional.empty, outcome=COMMITTED]
      rolled back 0: CommittingLocally[awaited={3}, failure=Optional[AnsweredRollback[shard=0]], outcome=ABORTED]
      failed 0: CommittingLocally[awaited={3}, failure=Optional[ServerError[shard=0]], outcome=ABORTED]
      lost 0: CommittingLocally[awaited={3}, failure=Optional[ConnectionLost[shard=0]], outcome=UNKNOWN]
      lost 1: stays
      lost 2: stays
      committed 3: CommittingLocally[awaited={0}, failure=Optional.empty, outcome=COMMITTED]
      rolled back 3: CommittingLocally[awaited={0}, failure=Optional.empty, outcome=COMMITTED]
      failed 3: CommittingLocally[awaited={0}, failure=Optional.empty, outcome=COMMITTED]
      lost 3: CommittingLocally[awaited={0}, failure=Optional.empty, outcome=COMMITTED]
      lost 4: stays
      # local, writer
      committed 0: Done[outcome=COMMITTED] -> AnswerCommitted[]
      rolled back 0: Done[outcome=ABORTED] -> AnswerFailed[AnsweredRollback[0]]
      failed 0: Done[outcome=ABORTED] -> AnswerFailed[ServerError[0]]
      lost 0: Done[outcome=UNKNOWN] -> AnswerUnknown[]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # local, readers only
      committed 0: Done[outcome=COMMITTED] -> AnswerCommitted[]
      rolled back 0: Done[outcome=ABORTED] -> AnswerFailed[AnsweredRollback[0]]
      failed 0: Done[outcome=ABORTED] -> AnswerFailed[ServerError[0]]
      lost 0: Done[outcome=ABORTED] -> AnswerFailed[ConnectionLost[0]]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # readers first
      lost 0: Aborting[failure=ConnectionLost[shard=0], preparing={}, ending={2, 3}, undoing={}, left={}]
      lost 1: stays
      committed 2: EndingReaders[awaited={3}]
      rolled back 2: Aborting[failure=AnsweredRollback[shard=2], preparing={}, ending={0, 3}, undoing={}, left={}] -> Rollback[0]
      failed 2: Aborting[failure=ServerError[shard=2], preparing={}, ending={0, 3}, undoing={}, left={}] -> Rollback[0]
      lost 2: Aborting[failure=ConnectionLost[shard=2], preparing={}, ending={0, 3}, undoing={}, left={}] -> Rollback[0]
      committed 3: EndingReaders[awaited={2}]
      rolled back 3: Aborting[failure=AnsweredRollback[shard=3], preparing={}, ending={0, 2}, undoing={}, left={}] -> Rollback[0]
      failed 3: Aborting[failure=ServerError[shard=3], preparing={}, ending={0, 2}, undoing={}, left={}] -> Rollback[0]
      lost 3: Aborting[failure=ConnectionLost[shard=3], preparing={}, ending={0, 2}, undoing={}, left={}] -> Rollback[0]
      lost 4: stays
      # readers first, last
      lost 0: Aborting[failure=ConnectionLost[shard=0], preparing={}, ending={3}, undoing={}, left={}]
      lost 1: stays
      lost 2: stays
      committed 3: CommittingLocally[awaited={0}, failure=Optional.empty, outcome=COMMITTED] -> Commit[0]
      rolled back 3: Aborting[failure=AnsweredRollback[shard=3], preparing={}, ending={0}, undoing={}, left={}] -> Rollback[0]
      failed 3: Aborting[failure=ServerError[shard=3], preparing={}, ending={0}, undoing={}, left={}] -> Rollback[0]
      lost 3: Aborting[failure=ConnectionLost[shard=3], preparing={}, ending={0}, undoing={}, left={}] -> Rollback[0]
      lost 4: stays
      # rolling back
      committed 0: Aborting[failure=Asked[], preparing={}, ending={1}, undoing={}, left={}]
      rolled back 0: Aborting[failure=Asked[], preparing={}, ending={1}, undoing={}, left={}]
      failed 0: Aborting[failure=Asked[], preparing={}, ending={1}, undoing={}, left={}]
      lost 0: Aborting[failure=Asked[], preparing={}, ending={1}, undoing={}, left={}]
      committed 1: Aborting[failure=Asked[], preparing={}, ending={0}, undoing={}, left={}]
      rolled back 1: Aborting[failure=Asked[], preparing={}, ending={0}, undoing={}, left={}]
      failed 1: Aborting[failure=Asked[], preparing={}, ending={0}, undoing={}, left={}]
      lost 1: Aborting[failure=Asked[], preparing={}, ending={0}, undoing={}, left={}]
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # forwarded commit
      committed 0: Done[outcome=COMMITTED] -> AnswerCommitted[]
      rolled back 0: Done[outcome=ABORTED] -> AnswerFailed[AnsweredRollback[0]]
      failed 0: Done[outcome=ABORTED] -> AnswerFailed[ServerError[0]]
      lost 0: Done[outcome=UNKNOWN] -> AnswerUnknown[]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # forwarded rollback
      rolled back 0: Done[outcome=ABORTED] -> AnswerFailed[AnsweredRollback[0]]
      failed 0: Done[outcome=ABORTED] -> AnswerFailed[ServerError[0]]
      lost 0: Done[outcome=ABORTED] -> AnswerFailed[ConnectionLost[0]]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # done
      lost 0: stays
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      """;

  private CommitTable() {}
}
