package io.shardmark.driver.run;

/** What this program calls itself. */
public final class Product {
  private static final String VERSION =
      version(Product.class.getPackage().getImplementationVersion());

  /** For example {@code Shardmark 1.0.0}. */
  public static final String NAME_AND_VERSION = "Shardmark " + VERSION;

  private Product() {}

  /**
   * @param fromManifest null if the classes are not in a jar
   */
  private static String version(@org.jspecify.annotations.Nullable String fromManifest) {
    return fromManifest == null ? "development" : fromManifest;
  }
}
