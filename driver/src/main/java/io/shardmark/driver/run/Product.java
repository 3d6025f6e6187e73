package io.shardmark.driver.run;

import io.shardmark.config.BuildInfo;

/** What this program calls itself. */
public final class Product {
  /** From the jar's manifest. */
  public static final BuildInfo BUILD = BuildInfo.of(Product.class);

  /** For example {@code Shardmark 1.0.0}. */
  public static final String NAME_AND_VERSION = "Shardmark " + BUILD.version();

  private Product() {}
}
