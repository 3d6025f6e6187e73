package io.shardmark.driver.script;

import static io.shardmark.config.KeyType.text;

import io.shardmark.config.Key;
import io.shardmark.config.KeyUse;
import java.util.Set;

/** The keys of {@code workload=script:FILE.sql}; the files stand behind the workload's name. */
enum ScriptKey implements Key {
  VARIABLES(
      new Traits(
          "scriptVariables",
          text("list"),
          "none",
          Set.of(KeyUse.RUN),
          "Shardmark",
          "variables that are set when a terminal starts, as with `pgbench -D`: `scale=10, top=5`; `scale` is 1 if it is not among them"));

  @SuppressWarnings("ImmutableEnumChecker") // a record of values
  private final Traits traits;

  ScriptKey(Traits traits) {
    this.traits = traits;
  }

  @Override
  public Traits traits() {
    return traits;
  }
}
