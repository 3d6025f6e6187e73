package io.shardmark.driver;

import io.shardmark.driver.command.Shardmark;
import io.shardmark.driver.sweep.ParentWatch;

/** Entry point of driver.jar. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    ParentWatch.startIfAsked();
    System.exit(Shardmark.execute(arguments));
  }
}
