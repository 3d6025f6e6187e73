package io.shardmark.bench;

import io.shardmark.config.DatabaseKind;
import io.shardmark.config.LoadConfig;
import io.shardmark.config.LoadDirect;
import io.shardmark.loader.Load;
import io.shardmark.loader.LoadException;
import io.shardmark.loader.LoadListener;
import io.shardmark.loader.keys.ParallelScript;
import io.shardmark.loader.tpcc.TpccDataSet;
import io.shardmark.sql.jdbc.ConnectionSource;
import io.shardmark.sql.script.Existing;
import io.shardmark.sql.script.ScriptLocator;
import io.shardmark.sql.script.ScriptStep;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.util.Locale;
import java.util.Optional;

/**
 * The loader as {@code load-benchmark.sh} times it, into tables that are there and empty: rows,
 * then keys and indexes, then foreign keys. Prints a line {@code <step> <seconds>} for each.
 *
 * <p>Arguments: JDBC URL, warehouses, workers, and for a CSV export its prefix.
 */
public final class LoadBenchmark {
  private static final long SEED = 4_711;

  private LoadBenchmark() {}

  public static void main(String[] arguments)
      throws LoadException, SQLException, InterruptedException {
    String url = arguments[0];
    int warehouses = Integer.parseInt(arguments[1]);
    int workers = Integer.parseInt(arguments[2]);
    Optional<String> prefix = arguments.length > 3 ? Optional.of(arguments[3]) : Optional.empty();
    LoadConfig config =
        new LoadConfig(workers, prefix, "NULL", SEED, false, LoadDirect.AUTO, true, 16);
    ConnectionSource source = () -> DriverManager.getConnection(url);
    long start = System.nanoTime();
    new Load(
            new TpccDataSet(warehouses, 1, warehouses),
            config,
            LocalDateTime.of(2026, 1, 2, 3, 4, 5),
            LoadListener.NONE)
        .run(source, Optional.empty(), Load.CompleteLoad.DROPS_JOURNAL);
    long loaded = step("load", start);
    if (prefix.isPresent()) {
      return;
    }
    ScriptLocator scripts =
        new ScriptLocator(
            Path.of("no such directory"), DatabaseKind.POSTGRES, ScriptStep.scripts());
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    ParallelScript runner =
        new ParallelScript(source, workers, nowhere, Existing.FAIL, ParallelScript.Servers.ONE);
    runner.run(scripts.locate(ScriptStep.INDEX_CREATES));
    long indexed = step("indexCreates", loaded);
    runner.run(scripts.locate(ScriptStep.FOREIGN_KEYS));
    step("foreignKeys", indexed);
  }

  private static long step(String name, long start) {
    long now = System.nanoTime();
    System.out.printf(Locale.ROOT, "%s %.3f%n", name, (now - start) / 1e9);
    return now;
  }
}
