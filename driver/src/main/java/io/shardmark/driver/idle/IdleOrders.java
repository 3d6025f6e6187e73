package io.shardmark.driver.idle;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.shardmark.sql.jdbc.PostgresEndpoint;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;

/**
 * What a helper process reads from its standard input; a password must be on no command line.
 *
 * @param endpoints where sessions log in, one after the other in turns
 * @param sources addresses that they come from; empty leaves it to the system
 * @param first number of the process' first session among all of the run
 * @param patienceSeconds how long none may log in before it gives up
 * @param probeSeconds time between two questions of a session that is used
 */
record IdleOrders(
    String user,
    String password,
    String database,
    List<PostgresEndpoint> endpoints,
    List<String> sources,
    int first,
    int count,
    int patienceSeconds,
    int probeSeconds) {
  /** After the orders come these bytes, and the end of the pipe if the driver has ended. */
  static final int OPEN = 'O';

  static final int CLOSE = 'C';

  /** One session in so many is used. */
  static final int PROBED_EVERY = 100;

  private static final ObjectMapper MAPPER = new ObjectMapper();

  IdleOrders {
    endpoints = List.copyOf(endpoints);
    sources = List.copyOf(sources);
  }

  void write(DataOutputStream out) throws IOException {
    byte[] text = MAPPER.writeValueAsBytes(this);
    out.writeInt(text.length);
    out.write(text);
    out.flush();
  }

  static IdleOrders read(DataInputStream in) throws IOException {
    return MAPPER.readValue(in.readNBytes(in.readInt()), IdleOrders.class);
  }

  PostgresEndpoint endpoint(int session) {
    return endpoints.get(session % endpoints.size());
  }

  /** Turns with another period than the endpoints', so that each pair comes about. */
  String source(int session) {
    return sources.get(session / endpoints.size() % sources.size());
  }
}
