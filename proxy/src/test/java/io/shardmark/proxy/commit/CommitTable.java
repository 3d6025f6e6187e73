package io.shardmark.proxy.commit;

/**
 * For every state (after "#") the events that may come, the state they lead to and what is to be
 * done. An event that is not listed is illegal there.
 */
final class CommitTable {
  static final String TEXT =
      """
      # preparing
      lost 0: ABORTING {1=PREPARE, 2=ROLLBACK, 3=COMMIT} left {0} ConnectionLost[0] -> {2=ROLLBACK}
      done 1: PREPARING {3=COMMIT} prepared {0, 1}
      rolled back 1: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK, 2=ROLLBACK, 3=COMMIT} AnsweredRollback[1] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK, 2=ROLLBACK}
      failed 1: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK, 2=ROLLBACK, 3=COMMIT} ServerError[1] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK, 2=ROLLBACK}
      lost 1: ABORTING {0=ROLLBACK_PREPARED, 2=ROLLBACK, 3=COMMIT} left {1} ConnectionLost[1] -> {0=ROLLBACK_PREPARED, 2=ROLLBACK}
      lost 2: ABORTING {0=ROLLBACK_PREPARED, 1=PREPARE, 3=COMMIT} ConnectionLost[2] -> {0=ROLLBACK_PREPARED}
      done 3: PREPARING {1=PREPARE} prepared {0}
      rolled back 3: ABORTING {0=ROLLBACK_PREPARED, 1=PREPARE, 2=ROLLBACK} AnsweredRollback[3] -> {0=ROLLBACK_PREPARED, 2=ROLLBACK}
      failed 3: ABORTING {0=ROLLBACK_PREPARED, 1=PREPARE, 2=ROLLBACK} ServerError[3] -> {0=ROLLBACK_PREPARED, 2=ROLLBACK}
      lost 3: ABORTING {0=ROLLBACK_PREPARED, 1=PREPARE, 2=ROLLBACK} ConnectionLost[3] -> {0=ROLLBACK_PREPARED, 2=ROLLBACK}
      lost 4: stays
      # preparing, last
      lost 0: ABORTING {1=PREPARE, 2=ROLLBACK} left {0} ConnectionLost[0] -> {2=ROLLBACK}
      done 1: DECIDING {2=DECIDE} prepared {0, 1} -> {2=DECIDE}
      rolled back 1: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK, 2=ROLLBACK} AnsweredRollback[1] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK, 2=ROLLBACK}
      failed 1: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK, 2=ROLLBACK} ServerError[1] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK, 2=ROLLBACK}
      lost 1: ABORTING {0=ROLLBACK_PREPARED, 2=ROLLBACK} left {1} ConnectionLost[1] -> {0=ROLLBACK_PREPARED, 2=ROLLBACK}
      lost 2: ABORTING {0=ROLLBACK_PREPARED, 1=PREPARE} ConnectionLost[2] -> {0=ROLLBACK_PREPARED}
      lost 3: stays
      lost 4: stays
      # deciding
      lost 0: DECIDING {2=DECIDE} prepared {1} left {0}
      lost 1: DECIDING {2=DECIDE} prepared {0} left {1}
      done 2: COMMITTING {0=COMMIT_PREPARED, 1=COMMIT_PREPARED} -> {0=COMMIT_PREPARED, 1=COMMIT_PREPARED}
      rolled back 2: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK} AnsweredRollback[2] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK}
      failed 2: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK} ServerError[2] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK}
      decision taken 2: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK} DecidedByRecovery[] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK}
      lost 2: ASKING {} prepared {0, 1}
      lost 3: stays
      lost 4: stays
      # deciding, one lost
      lost 0: DECIDING {2=DECIDE} left {0, 1}
      lost 1: stays
      done 2: COMMITTING {0=COMMIT_PREPARED, 1=RECOVER} -> {0=COMMIT_PREPARED, 1=RECOVER}
      rolled back 2: ABORTING {0=ROLLBACK_PREPARED, 2=ROLLBACK} left {1} AnsweredRollback[2] -> {0=ROLLBACK_PREPARED, 2=ROLLBACK}
      failed 2: ABORTING {0=ROLLBACK_PREPARED, 2=ROLLBACK} left {1} ServerError[2] -> {0=ROLLBACK_PREPARED, 2=ROLLBACK}
      decision taken 2: ABORTING {0=ROLLBACK_PREPARED, 2=ROLLBACK} left {1} DecidedByRecovery[] -> {0=ROLLBACK_PREPARED, 2=ROLLBACK}
      lost 2: ASKING {} prepared {0} left {1}
      lost 3: stays
      lost 4: stays
      # asking
      lost 0: ASKING {} left {0, 1}
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      outcome COMMITTED: COMMITTING {0=COMMIT_PREPARED, 1=RECOVER} -> {0=COMMIT_PREPARED, 1=RECOVER}
      outcome ABORTED: ABORTING {0=ROLLBACK_PREPARED} left {1} ConnectionLost[2] -> {0=ROLLBACK_PREPARED}
      outcome UNKNOWN: DONE UNKNOWN left {0, 1} OutcomeUnknown[]
      # committing
      done 0: COMMITTING {1=COMMIT_PREPARED}
      failed 0: COMMITTING {0=RECOVER, 1=COMMIT_PREPARED} -> {0=RECOVER}
      lost 0: COMMITTING {0=RECOVER, 1=COMMIT_PREPARED} -> {0=RECOVER}
      done 1: COMMITTING {0=COMMIT_PREPARED}
      failed 1: COMMITTING {0=COMMIT_PREPARED, 1=RECOVER} -> {1=RECOVER}
      lost 1: COMMITTING {0=COMMIT_PREPARED, 1=RECOVER} -> {1=RECOVER}
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # committing, last
      done 0: DONE COMMITTED
      failed 0: RECOVERING {0=RECOVER} -> {0=RECOVER}
      lost 0: RECOVERING {0=RECOVER} -> {0=RECOVER}
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # committing, one with recovery
      done 0: RECOVERING {1=RECOVER}
      failed 0: RECOVERING {0=RECOVER, 1=RECOVER} -> {0=RECOVER}
      lost 0: RECOVERING {0=RECOVER, 1=RECOVER} -> {0=RECOVER}
      done 1: COMMITTING {0=COMMIT_PREPARED}
      failed 1: COMMITTING {0=COMMIT_PREPARED} left {1}
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # recovering
      done 0: RECOVERING {1=RECOVER}
      failed 0: RECOVERING {1=RECOVER} left {0}
      lost 0: stays
      done 1: RECOVERING {0=RECOVER}
      failed 1: RECOVERING {0=RECOVER} left {1}
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # recovering, last
      lost 0: stays
      done 1: DONE COMMITTED left {0}
      failed 1: DONE COMMITTED left {0, 1}
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # aborting
      done 0: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=COMMIT} ServerError[1] -> {0=ROLLBACK_PREPARED}
      rolled back 0: ABORTING {1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=COMMIT} ServerError[1]
      failed 0: ABORTING {0=ROLLBACK, 1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=COMMIT} ServerError[1] -> {0=ROLLBACK}
      lost 0: ABORTING {1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=COMMIT} left {0} ServerError[1]
      done 1: ABORTING {0=PREPARE, 2=ROLLBACK, 3=COMMIT} ServerError[1]
      failed 1: ABORTING {0=PREPARE, 2=ROLLBACK, 3=COMMIT} left {1} ServerError[1]
      lost 1: ABORTING {0=PREPARE, 2=ROLLBACK, 3=COMMIT} left {1} ServerError[1]
      done 2: ABORTING {0=PREPARE, 1=ROLLBACK_PREPARED, 3=COMMIT} ServerError[1]
      failed 2: ABORTING {0=PREPARE, 1=ROLLBACK_PREPARED, 3=COMMIT} ServerError[1]
      lost 2: ABORTING {0=PREPARE, 1=ROLLBACK_PREPARED, 3=COMMIT} ServerError[1]
      done 3: ABORTING {0=PREPARE, 1=ROLLBACK_PREPARED, 2=ROLLBACK} ServerError[1]
      rolled back 3: ABORTING {0=PREPARE, 1=ROLLBACK_PREPARED, 2=ROLLBACK} ServerError[1]
      failed 3: ABORTING {0=PREPARE, 1=ROLLBACK_PREPARED, 2=ROLLBACK} ServerError[1]
      lost 3: ABORTING {0=PREPARE, 1=ROLLBACK_PREPARED, 2=ROLLBACK} ServerError[1]
      lost 4: stays
      # aborting, last
      done 0: DONE ABORTED ServerError[1]
      failed 0: DONE ABORTED left {0} ServerError[1]
      lost 0: DONE ABORTED left {0} ServerError[1]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # local, both
      done 0: COMMITTING_LOCALLY {3=COMMIT}
      rolled back 0: COMMITTING_LOCALLY {3=COMMIT} AnsweredRollback[0]
      failed 0: COMMITTING_LOCALLY {3=COMMIT} ServerError[0]
      lost 0: COMMITTING_LOCALLY {3=COMMIT} OutcomeUnknown[]
      lost 1: stays
      lost 2: stays
      done 3: COMMITTING_LOCALLY {0=COMMIT}
      rolled back 3: COMMITTING_LOCALLY {0=COMMIT}
      failed 3: COMMITTING_LOCALLY {0=COMMIT}
      lost 3: COMMITTING_LOCALLY {0=COMMIT}
      lost 4: stays
      # local, writer
      done 0: DONE COMMITTED
      rolled back 0: DONE ABORTED AnsweredRollback[0]
      failed 0: DONE ABORTED ServerError[0]
      lost 0: DONE UNKNOWN OutcomeUnknown[]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # local, readers only
      done 0: DONE COMMITTED
      rolled back 0: DONE ABORTED AnsweredRollback[0]
      failed 0: DONE ABORTED ServerError[0]
      lost 0: DONE ABORTED ConnectionLost[0]
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # readers first
      lost 0: ABORTING {2=COMMIT, 3=COMMIT} ConnectionLost[0]
      lost 1: stays
      done 2: ENDING_READERS {3=COMMIT}
      rolled back 2: ABORTING {0=ROLLBACK, 3=COMMIT} AnsweredRollback[2] -> {0=ROLLBACK}
      failed 2: ABORTING {0=ROLLBACK, 3=COMMIT} ServerError[2] -> {0=ROLLBACK}
      lost 2: ABORTING {0=ROLLBACK, 3=COMMIT} ConnectionLost[2] -> {0=ROLLBACK}
      done 3: ENDING_READERS {2=COMMIT}
      rolled back 3: ABORTING {0=ROLLBACK, 2=COMMIT} AnsweredRollback[3] -> {0=ROLLBACK}
      failed 3: ABORTING {0=ROLLBACK, 2=COMMIT} ServerError[3] -> {0=ROLLBACK}
      lost 3: ABORTING {0=ROLLBACK, 2=COMMIT} ConnectionLost[3] -> {0=ROLLBACK}
      lost 4: stays
      # readers first, last
      lost 0: ABORTING {3=COMMIT} ConnectionLost[0]
      lost 1: stays
      lost 2: stays
      done 3: COMMITTING_LOCALLY {0=COMMIT} -> {0=COMMIT}
      rolled back 3: ABORTING {0=ROLLBACK} AnsweredRollback[3] -> {0=ROLLBACK}
      failed 3: ABORTING {0=ROLLBACK} ServerError[3] -> {0=ROLLBACK}
      lost 3: ABORTING {0=ROLLBACK} ConnectionLost[3] -> {0=ROLLBACK}
      lost 4: stays
      # rolling back
      done 0: ABORTING {1=ROLLBACK} Asked[]
      failed 0: ABORTING {1=ROLLBACK} Asked[]
      lost 0: ABORTING {1=ROLLBACK} Asked[]
      done 1: ABORTING {0=ROLLBACK} Asked[]
      failed 1: ABORTING {0=ROLLBACK} Asked[]
      lost 1: ABORTING {0=ROLLBACK} Asked[]
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # awaited, preparing
      done 0: PREPARING {1=PREPARE} prepared {0} open {3}
      rolled back 0: ABORTING {0=ROLLBACK, 1=PREPARE, 2=ROLLBACK, 3=ROLLBACK} AnsweredRollback[0] -> {0=ROLLBACK, 2=ROLLBACK, 3=ROLLBACK}
      failed 0: ABORTING {0=ROLLBACK, 1=PREPARE, 2=ROLLBACK, 3=ROLLBACK} ServerError[0] -> {0=ROLLBACK, 2=ROLLBACK, 3=ROLLBACK}
      lost 0: ABORTING {1=PREPARE, 2=ROLLBACK, 3=ROLLBACK} left {0} ConnectionLost[0] -> {2=ROLLBACK, 3=ROLLBACK}
      done 1: PREPARING {0=PREPARE} prepared {1} open {3}
      rolled back 1: ABORTING {0=PREPARE, 1=ROLLBACK, 2=ROLLBACK, 3=ROLLBACK} AnsweredRollback[1] -> {1=ROLLBACK, 2=ROLLBACK, 3=ROLLBACK}
      failed 1: ABORTING {0=PREPARE, 1=ROLLBACK, 2=ROLLBACK, 3=ROLLBACK} ServerError[1] -> {1=ROLLBACK, 2=ROLLBACK, 3=ROLLBACK}
      lost 1: ABORTING {0=PREPARE, 2=ROLLBACK, 3=ROLLBACK} left {1} ConnectionLost[1] -> {2=ROLLBACK, 3=ROLLBACK}
      lost 2: ABORTING {0=PREPARE, 1=PREPARE, 3=ROLLBACK} ConnectionLost[2] -> {3=ROLLBACK}
      lost 3: ABORTING {0=PREPARE, 1=PREPARE, 2=ROLLBACK} ConnectionLost[3] -> {2=ROLLBACK}
      lost 4: stays
      # awaited, deciding
      lost 0: DECIDING {2=DECIDE} prepared {1} open {3} left {0}
      lost 1: DECIDING {2=DECIDE} prepared {0} open {3} left {1}
      done 2: COMMITTING {0=COMMIT_PREPARED} prepared {1} open {3} -> {0=COMMIT_PREPARED}
      rolled back 2: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=ROLLBACK} AnsweredRollback[2] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=ROLLBACK}
      failed 2: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=ROLLBACK} ServerError[2] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=ROLLBACK}
      decision taken 2: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=ROLLBACK} DecidedByRecovery[] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 2=ROLLBACK, 3=ROLLBACK}
      lost 2: ASKING {} prepared {0, 1} open {3}
      lost 3: DECIDING {2=DECIDE} prepared {0, 1}
      lost 4: stays
      # awaited, asking
      lost 0: ASKING {} prepared {1} open {3} left {0}
      lost 1: ASKING {} prepared {0} open {3} left {1}
      lost 2: stays
      lost 3: ASKING {} prepared {0, 1}
      lost 4: stays
      outcome COMMITTED: COMMITTING {0=COMMIT_PREPARED} prepared {1} open {3} -> {0=COMMIT_PREPARED}
      outcome ABORTED: ABORTING {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 3=ROLLBACK} ConnectionLost[2] -> {0=ROLLBACK_PREPARED, 1=ROLLBACK_PREPARED, 3=ROLLBACK}
      outcome UNKNOWN: RELEASING {3=COMMIT} left {0, 1} OutcomeUnknown[] -> {3=COMMIT}
      # awaited, committing
      done 0: COMMITTING {1=COMMIT_PREPARED} open {3} -> {1=COMMIT_PREPARED}
      failed 0: COMMITTING {0=RECOVER} prepared {1} open {3} -> {0=RECOVER}
      lost 0: COMMITTING {0=RECOVER} prepared {1} open {3} -> {0=RECOVER}
      lost 1: COMMITTING {0=COMMIT_PREPARED} prepared {1} open {3} left {1}
      lost 2: stays
      lost 3: COMMITTING {0=COMMIT_PREPARED} prepared {1}
      lost 4: stays
      # awaited, committing, last
      lost 0: stays
      done 1: RELEASING {3=COMMIT} -> {3=COMMIT}
      failed 1: COMMITTING {1=RECOVER} open {3} -> {1=RECOVER}
      lost 1: COMMITTING {1=RECOVER} open {3} -> {1=RECOVER}
      lost 2: stays
      lost 3: COMMITTING {1=COMMIT_PREPARED}
      lost 4: stays
      # awaited, committing, last lost
      done 0: RECOVERING {1=RECOVER} -> {1=RECOVER}
      failed 0: COMMITTING {0=RECOVER} prepared {1} left {1} -> {0=RECOVER}
      lost 0: COMMITTING {0=RECOVER} prepared {1} left {1} -> {0=RECOVER}
      lost 1: stays
      lost 2: stays
      lost 3: stays
      lost 4: stays
      # awaited, with recovery
      done 0: COMMITTING {1=COMMIT_PREPARED} open {3} -> {1=COMMIT_PREPARED}
      failed 0: COMMITTING {1=COMMIT_PREPARED} open {3} left {0} -> {1=COMMIT_PREPARED}
      lost 0: stays
      lost 1: COMMITTING {0=RECOVER} prepared {1} open {3} left {1}
      lost 2: stays
      lost 3: COMMITTING {0=RECOVER} prepared {1}
      lost 4: stays
      # awaited, releasing
      lost 0: stays
      lost 1: stays
      lost 2: stays
      done 3: DONE COMMITTED left {1}
      rolled back 3: DONE COMMITTED left {1}
      failed 3: DONE COMMITTED left {1}
      lost 3: DONE COMMITTED left {1}
      lost 4: stays
      # awaited, local
      done 0: RELEASING {3=COMMIT} -> {3=COMMIT}
      rolled back 0: RELEASING {3=COMMIT} AnsweredRollback[0] -> {3=COMMIT}
      failed 0: RELEASING {3=COMMIT} ServerError[0] -> {3=COMMIT}
      lost 0: RELEASING {3=COMMIT} OutcomeUnknown[] -> {3=COMMIT}
      lost 1: stays
      lost 2: stays
      lost 3: COMMITTING_LOCALLY {0=COMMIT}
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
