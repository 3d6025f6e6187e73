package io.shardmark.driver.tpcc.acid;

/** A test cannot be carried out as its clause describes it: the test is an error, not a failure. */
final class AcidTestException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  AcidTestException(String message) {
    super(message);
  }
}
