package io.shardmark.driver.benchmark;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.config.ConnectionConfig;
import io.shardmark.config.DriversConfig;
import io.shardmark.config.PropertyKey;
import io.shardmark.config.PropertyReader;
import io.shardmark.config.RunConfig;

/**
 * What a benchmark knows of a run, or about one driver's share of it.
 *
 * @param connection to the database under test
 * @param run what every run has
 * @param scale how large the data are, and the part of them that this process works on
 * @param values of all keys, the benchmark's own among them
 */
public record Settings(
    ConnectionConfig connection, RunConfig run, Scale scale, PropertyReader values) {

  /** Those of this process: its share if several drivers make the run. */
  public static Settings of(Benchmark benchmark, BenchmarkProperties properties) {
    Settings whole = whole(benchmark, properties);
    DriversConfig drivers = properties.drivers();
    Scale scale = benchmark.scale(properties.values());
    if (!drivers.areSeveral()) {
      return whole.at(benchmark, scale, whole.run);
    }
    return scale.use() == Scale.ScaleUse.SHARED
        ? whole.shareOfTerminals(benchmark, drivers)
        : whole.shareOfScale(benchmark, drivers, scale);
  }

  /** Those of all drivers together; the same as {@link #of} if there is one. */
  public static Settings whole(Benchmark benchmark, BenchmarkProperties properties) {
    PropertyReader values = properties.values();
    ConnectionConfig connection = properties.connection();
    RunConfig run = properties.run();
    Scale scale = benchmark.scale(values).whole();
    Settings settings = new Settings(connection, run, scale, values);
    return settings.at(benchmark, scale, run);
  }

  /** The same with the seed that the drivers of a run agreed on. */
  public Settings withSeed(long seed, boolean drawn) {
    return new Settings(connection, run.withSeed(seed, drawn), scale, values);
  }

  private Settings at(Benchmark benchmark, Scale part, RunConfig ofPart) {
    Settings settings = new Settings(connection, ofPart, part, values);
    return new Settings(connection, ofPart.with(benchmark.inEffect(settings)), part, values);
  }

  /** The keys describe the whole run, so that all drivers can read the same file. */
  private Settings shareOfTerminals(Benchmark benchmark, DriversConfig drivers) {
    int first = part(run.terminals(), drivers.index(), drivers.count());
    int count = part(run.terminals(), drivers.index() + 1, drivers.count()) - first;
    if (count == 0) {
      throw values.bad(
          PropertyKey.TERMINALS, "at least one for each of %d drivers".formatted(drivers.count()));
    }
    return at(benchmark, scale, run.share(first, count));
  }

  private Settings shareOfScale(Benchmark benchmark, DriversConfig drivers, Scale given) {
    if (drivers.count() > scale.size()) {
      throw values.bad(PropertyKey.DRIVERS, "at most one for each of %s".formatted(scale.words()));
    }
    Scale part =
        given.isWhole()
            ? Scale.divided(
                scale.unit(),
                scale.size(),
                part(scale.size(), drivers.index(), drivers.count()) + 1,
                part(scale.size(), drivers.index() + 1, drivers.count()))
            : given;
    // By the scale, not by drivers: then every part of the data has its terminals, also where the
    // drivers' ranges are unequal, and the shares of all of them add up to the whole.
    int first = part(run.terminals(), part.from() - 1, scale.size());
    int count = part(run.terminals(), part.to(), scale.size()) - first;
    if (count == 0) {
      throw values.bad(
          PropertyKey.TERMINALS,
          "at least one for each of %d drivers; %s %d to %d get none"
              .formatted(drivers.count(), scale.plural(), part.from(), part.to()));
    }
    return at(benchmark, part, run.share(first, count));
  }

  /** The start of a part when {@code whole} is cut into {@code parts} as equal as possible. */
  private static int part(int whole, int index, int parts) {
    return (int) ((long) whole * index / parts);
  }
}
