package io.shardmark.config;

/**
 * The user's input cannot be used. The message is one line that names the place (file, line, key),
 * the value found and what was expected; the command line prints it unchanged and exits with status
 * 1.
 */
public final class ConfigException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public ConfigException(String message) {
    super(message);
  }
}
