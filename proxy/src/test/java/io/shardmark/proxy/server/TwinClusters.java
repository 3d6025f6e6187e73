package io.shardmark.proxy.server;

import static io.shardmark.proxy.server.RandomPipeline.bind;
import static io.shardmark.proxy.server.RandomPipeline.execute;
import static io.shardmark.proxy.server.RandomPipeline.parse;
import static io.shardmark.proxy.server.RandomPipeline.sync;

import io.shardmark.proxy.server.Twins.Batch;
import io.shardmark.proxy.server.Twins.Sent;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A plain server beside a proxy over one shard, and another beside one over three. */
record TwinClusters(Twins oneShard, Twins threeShards) implements AutoCloseable {
  static final String ONE = "insert into t values (1, 1)";
  static final String TWO = "insert into t values (2, 2)";
  static final String BOTH = "insert into t values (3, 3), (4, 4), (5, 5)";

  static TwinClusters start() throws SQLException, IOException {
    return new TwinClusters(new Twins(1), new Twins(3, "cross_shard_isolation: per_shard"));
  }

  /** Statements in one pipeline up to Sync. */
  static Batch pipeline(String... statements) {
    List<Sent> messages = new ArrayList<>();
    for (String sql : statements) {
      messages.addAll(List.of(parse("", sql), bind("", ""), execute("", 0)));
    }
    messages.add(sync());
    return new Batch(messages);
  }

  /** Statements separated by {@code |}, with ONE and BOTH for those above. */
  static String[] texts(String statements) {
    return statements.replace("ONE", ONE).replace("BOTH", BOTH).split(" \\| ", -1);
  }

  static Batch joined(List<List<Sent>> parts) {
    return new Batch(parts.stream().flatMap(List::stream).toList());
  }

  /** One packet: the proxy goes on to the second pipeline before servers answer the first. */
  static Batch atOnce(Batch... batches) {
    return new Batch(Stream.of(batches).flatMap(batch -> batch.messages().stream()).toList());
  }

  /** Each of the pipelines by itself on new clients and empty tables, in both clusters. */
  void assertSame(Batch... batches) throws SQLException, IOException {
    oneShard.assertSame(List.of(batches));
    threeShards.assertSame(List.of(batches));
  }

  @Override
  public void close() throws SQLException, IOException {
    oneShard.close();
    threeShards.close();
  }
}
