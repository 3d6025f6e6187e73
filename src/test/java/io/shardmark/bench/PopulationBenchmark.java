package io.shardmark.bench;

import io.shardmark.loader.data.RowWriter;
import io.shardmark.loader.tpcc.Population;
import io.shardmark.loader.tpcc.PopulationTable;
import io.shardmark.loader.tpcc.PopulationUnit;
import io.shardmark.loader.tpcc.PopulationUnit.UnitKind;
import io.shardmark.loader.tpcc.RowGenerator;
import io.shardmark.loader.writer.BinaryCopyEncoder;
import io.shardmark.loader.writer.CsvEncoder;
import java.time.LocalDateTime;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a row costs before it leaves the loader: generated only, and generated and encoded for
 * binary COPY or CSV. One operation is a block of rows of the named table (a chunk of 20,000 stock
 * rows, or a district).
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PopulationBenchmark {
  private static final int BLOCK_BYTES = 256 * 1024;

  @Param({"STOCK", "CUSTOMER", "HISTORY", "ORDER", "ORDER_LINE"})
  public PopulationTable table = PopulationTable.STOCK;

  private final RowGenerator generator =
      new RowGenerator(new Population(1, 4, LocalDateTime.of(2026, 1, 1, 0, 0)));
  private final CountingWriter counting = new CountingWriter();
  private long bytes;
  private final BinaryCopyEncoder binary =
      new BinaryCopyEncoder((block, offset, length) -> bytes += length, BLOCK_BYTES);
  private final CsvEncoder csv =
      new CsvEncoder((block, offset, length) -> bytes += length, "NULL", BLOCK_BYTES);

  /** The generator alone. */
  @Benchmark
  public long generate() {
    generator.write(unit(), table, counting);
    return counting.sum;
  }

  /** Generator and binary COPY encoder. */
  @Benchmark
  public long encodeBinaryCopy() {
    binary.begin(table.table().columns().size());
    generator.write(unit(), table, binary);
    binary.finish();
    return bytes;
  }

  /** Generator and CSV encoder. */
  @Benchmark
  public long encodeCsv() {
    csv.begin();
    generator.write(unit(), table, csv);
    csv.finish();
    return bytes;
  }

  private PopulationUnit unit() {
    UnitKind kind =
        switch (table) {
          case STOCK -> UnitKind.STOCK;
          case CUSTOMER, HISTORY -> UnitKind.CUSTOMER;
          case ORDER, ORDER_LINE, NEW_ORDER -> UnitKind.ORDER;
          case WAREHOUSE, DISTRICT -> UnitKind.WAREHOUSE;
          case CONFIG, ITEM -> UnitKind.ITEM;
        };
    return new PopulationUnit(kind, kind == UnitKind.ITEM ? 0 : 1, 1);
  }

  /** Looks at every value, so that none can be optimised away. */
  private static final class CountingWriter implements RowWriter {
    private long sum;

    @Override
    public void startRow() {
      sum++;
    }

    @Override
    public void int32(int value) {
      sum += value;
    }

    @Override
    public void text(byte[] ascii, int offset, int length) {
      sum += ascii[offset] + ascii[offset + length - 1];
    }

    @Override
    public void decimal(long unscaled, int scale) {
      sum += unscaled;
    }

    @Override
    public void timestamp(long epochMicros) {
      sum ^= epochMicros;
    }

    @Override
    public void nullValue() {
      sum++;
    }
  }
}
