package io.shardmark.driver;

import io.shardmark.driver.command.Shardmark;
import io.shardmark.driver.run.Product;
import io.shardmark.driver.run.StopSignal;
import io.shardmark.driver.sweep.ParentPipe;
import java.util.Locale;

/** Entry point of driver.jar. */
public final class Main {
  private Main() {}

  public static void main(String[] arguments) {
    // SQL, keys and files have the digits and letters that everybody reads, whatever locale writes
    // them.
    Locale.setDefault(Locale.ROOT);
    if (arguments.length == 1 && arguments[0].equals("--version")) {
      // Without the libraries that read command lines: five times as fast.
      for (String line : Product.BUILD.lines("Shardmark")) {
        System.out.println(line);
      }
      return;
    }
    ParentPipe.openIfThere();
    int status = Shardmark.execute(arguments);
    StopSignal.verbHasEnded();
    System.exit(status);
  }
}
