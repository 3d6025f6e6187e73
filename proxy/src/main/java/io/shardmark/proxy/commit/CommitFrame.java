package io.shardmark.proxy.commit;

/**
 * What the statements of a commit need around them, because of what the transaction has set: each
 * part is empty, or statements with a semicolon after each.
 *
 * @param beforePrepare the transaction is finished by the role that prepares it (PG18
 *     sql-commit-prepared), so it takes the role that its connection has afterwards
 * @param beforeDecision takes the role that logged in, which may record decisions
 * @param afterDecision takes the client's role again, as which deferred triggers are executed
 */
public record CommitFrame(String beforePrepare, String beforeDecision, String afterDecision) {
  /** Of a transaction that acts as the role that logged in. */
  public static final CommitFrame NONE = new CommitFrame("", "", "");
}
