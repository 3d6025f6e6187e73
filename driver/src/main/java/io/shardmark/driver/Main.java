package io.shardmark.driver;

import io.shardmark.driver.command.Shardmark;
import io.shardmark.driver.run.StopSignal;
import io.shardmark.driver.sweep.ParentPipe;

/** Entry point of driver.jar. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    ParentPipe.openIfThere();
    int status = Shardmark.execute(arguments);
    StopSignal.verbHasEnded();
    System.exit(status);
  }
}
