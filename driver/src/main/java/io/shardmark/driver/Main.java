package io.shardmark.driver;

import io.shardmark.driver.command.Shardmark;
import io.shardmark.driver.sweep.ParentPipe;

/** Entry point of driver.jar. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    ParentPipe.openIfThere();
    System.exit(Shardmark.execute(arguments));
  }
}
