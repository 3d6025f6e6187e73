package io.shardmark.proxy.execution;

/**
 * A statement that a client has prepared. Its Parse always goes to a server, as an unnamed
 * statement if the text has been prepared before: what that text meant then need not be what it
 * means now. Later executions share the servers' statement of the text if it means the same.
 */
public final class ClientStatement {
  private static final long ANSWERED = -1;

  private final String name;
  private StatementText text;
  private boolean shared;

  /** The pipeline of its Parse while that is unanswered. */
  private long pipeline = ANSWERED;

  public ClientStatement(String name, StatementText text) {
    this.name = name;
    this.text = text;
  }

  public String name() {
    return name;
  }

  public boolean isNamed() {
    return !name.isEmpty();
  }

  public StatementText text() {
    return text;
  }

  /** Its Parse comes in a pipeline of that number. */
  public void parsedIn(long number) {
    pipeline = number;
  }

  /** A server has answered its Parse. */
  public void answered() {
    pipeline = ANSWERED;
  }

  /**
   * Whether it may turn out that its Parse was skipped, with others than those of this pipeline.
   */
  public boolean isOpen(long number) {
    return pipeline != ANSWERED && pipeline != number;
  }

  /** Whether the servers' statement of the text is known to be this one. */
  public boolean isShared() {
    return shared;
  }

  /**
   * The servers' statement of a text is this one.
   *
   * @param same the text, or a newer one that means what this client's Parse meant
   */
  public void share(StatementText same) {
    text = same;
    shared = true;
  }
}
