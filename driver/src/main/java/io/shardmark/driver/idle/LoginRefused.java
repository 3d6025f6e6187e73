package io.shardmark.driver.idle;

/** A server does not let a session in, or asks for what we cannot do. The message is its reason. */
final class LoginRefused extends Exception {
  private static final long serialVersionUID = 1L;

  LoginRefused(String reason) {
    super(reason);
  }
}
