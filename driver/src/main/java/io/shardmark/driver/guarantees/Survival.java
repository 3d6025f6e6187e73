package io.shardmark.driver.guarantees;

/** What a transaction survives after its COMMIT was acknowledged; each one all before it too. */
public enum Survival {
  NOTHING("not even the kill of a server process"),
  PROCESS("the kill of a server process, not a loss of power"),
  POWER("a loss of power, not the loss of a machine"),
  MACHINE("the loss of a machine, as a standby has it before the COMMIT ends");

  private final String words;

  Survival(String words) {
    this.words = words;
  }

  /** After "survives". */
  public String words() {
    return words;
  }
}
