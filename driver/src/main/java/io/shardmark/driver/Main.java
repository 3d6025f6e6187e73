package io.shardmark.driver;

import io.shardmark.driver.command.Shardmark;

/** Entry point of driver.jar. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    System.exit(Shardmark.execute(arguments));
  }
}
