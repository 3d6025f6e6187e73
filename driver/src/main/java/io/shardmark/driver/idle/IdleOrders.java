package io.shardmark.driver.idle;

import io.shardmark.sql.jdbc.PostgresEndpoint;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What a helper process is told on its standard input; a password must stand on no command line.
 *
 * @param endpoints where sessions log in, one after the other in turns
 * @param sources addresses that they come from; empty leaves it to the system
 * @param first number of the process' first session among all of the run
 * @param count of its sessions
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

  private static final int MOST_NAMES = 1 << 16;

  IdleOrders {
    endpoints = List.copyOf(endpoints);
    sources = List.copyOf(sources);
  }

  void write(DataOutputStream out) throws IOException {
    out.writeUTF(user);
    out.writeUTF(password);
    out.writeUTF(database);
    out.writeInt(endpoints.size());
    for (PostgresEndpoint endpoint : endpoints) {
      out.writeUTF(endpoint.host());
      out.writeInt(endpoint.port());
    }
    out.writeInt(sources.size());
    for (String source : sources) {
      out.writeUTF(source);
    }
    out.writeInt(first);
    out.writeInt(count);
    out.writeInt(patienceSeconds);
    out.writeInt(probeSeconds);
    out.flush();
  }

  static IdleOrders read(DataInputStream in) throws IOException {
    String user = in.readUTF();
    String password = in.readUTF();
    String database = in.readUTF();
    List<PostgresEndpoint> endpoints = new ArrayList<>();
    for (int left = count(in); left > 0; left--) {
      endpoints.add(new PostgresEndpoint(in.readUTF(), in.readInt()));
    }
    List<String> sources = new ArrayList<>();
    for (int left = count(in); left > 0; left--) {
      sources.add(in.readUTF());
    }
    return new IdleOrders(
        user,
        password,
        database,
        endpoints,
        sources,
        in.readInt(),
        in.readInt(),
        in.readInt(),
        in.readInt());
  }

  private static int count(DataInputStream in) throws IOException {
    int count = in.readInt();
    if (count < 0 || count > MOST_NAMES) {
      throw new IOException("orders with %d names".formatted(count));
    }
    return count;
  }

  PostgresEndpoint endpoint(int session) {
    return endpoints.get(session % endpoints.size());
  }

  /** Turns with another period than the endpoints', so that each pair comes about. */
  String source(int session) {
    return sources.get(session / endpoints.size() % sources.size());
  }
}
