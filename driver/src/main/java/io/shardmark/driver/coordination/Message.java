package io.shardmark.driver.coordination;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What drivers say to each other. Texts are at most {@link #MOST_TEXT} characters. Instants are of
 * the receiver's {@link System#nanoTime()}, unless it says otherwise.
 */
sealed interface Message {
  /** Reasons are cut to this; settings are far shorter. */
  int MOST_TEXT = 2000;

  /** More settings than any version has. */
  int MOST_SETTINGS = 200;

  MessageType type();

  void write(DataOutputStream out) throws IOException;

  /** Cuts a text so that it can be sent. */
  static String cut(String text) {
    return text.length() <= MOST_TEXT ? text : text.substring(0, MOST_TEXT);
  }

  private static String text(DataInputStream in) throws IOException {
    String text = in.readUTF();
    if (text.length() > MOST_TEXT) {
      throw new ProtocolException("a text of " + text.length() + " characters");
    }
    return text;
  }

  /** Member to coordinator, first of all. */
  record Hello(DriverIdentity identity) implements Message {
    static Hello read(DataInputStream in) throws IOException {
      int index = in.readInt();
      String product = text(in);
      DriverIdentity.Share share =
          new DriverIdentity.Share(
              in.readInt(), in.readInt(), in.readInt(), in.readInt(), in.readInt());
      int count = in.readInt();
      if (count < 0 || count > MOST_SETTINGS) {
        throw new ProtocolException(count + " settings");
      }
      Map<String, String> settings = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        settings.put(text(in), text(in));
      }
      return new Hello(
          new DriverIdentity(index, product, share, Collections.unmodifiableMap(settings)));
    }

    @Override
    public MessageType type() {
      return MessageType.HELLO;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeInt(identity.index());
      out.writeUTF(cut(identity.product()));
      out.writeInt(identity.share().warehouseFrom());
      out.writeInt(identity.share().warehouseTo());
      out.writeInt(identity.share().firstTerminal());
      out.writeInt(identity.share().terminals());
      out.writeInt(identity.share().connections());
      out.writeInt(identity.settings().size());
      for (Map.Entry<String, String> setting : identity.settings().entrySet()) {
        out.writeUTF(cut(setting.getKey()));
        out.writeUTF(cut(setting.getValue()));
      }
    }
  }

  /** Coordinator to member: all are there, and this is what they agree on. */
  record Welcome(GroupTerms terms) implements Message {
    static Welcome read(DataInputStream in) throws IOException {
      return new Welcome(
          new GroupTerms(text(in), in.readInt(), in.readLong(), in.readBoolean(), in.readInt()));
    }

    @Override
    public MessageType type() {
      return MessageType.WELCOME;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeUTF(terms.group());
      out.writeInt(terms.drivers());
      out.writeLong(terms.seed());
      out.writeBoolean(terms.seedDrawn());
      out.writeInt(terms.run());
    }
  }

  /** Member to coordinator: the database is open, the terminals can start. */
  record Ready() implements Message {
    static Ready read(DataInputStream in) {
      return new Ready();
    }

    @Override
    public MessageType type() {
      return MessageType.READY;
    }

    @Override
    public void write(DataOutputStream out) {}
  }

  /**
   * Coordinator to member, once a second: still here, and what does your clock say.
   *
   * @param sentNanos the coordinator's clock
   */
  record Ping(long sentNanos) implements Message {
    static Ping read(DataInputStream in) throws IOException {
      return new Ping(in.readLong());
    }

    @Override
    public MessageType type() {
      return MessageType.PING;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeLong(sentNanos);
    }
  }

  /**
   * Member to coordinator.
   *
   * @param sentNanos of the ping
   * @param memberNanos the member's clock when it came
   */
  record Pong(long sentNanos, long memberNanos) implements Message {
    static Pong read(DataInputStream in) throws IOException {
      return new Pong(in.readLong(), in.readLong());
    }

    @Override
    public MessageType type() {
      return MessageType.PONG;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeLong(sentNanos);
      out.writeLong(memberNanos);
    }
  }

  /** Coordinator to member: when the terminals start. */
  record Start(StartInstant instant) implements Message {
    static Start read(DataInputStream in) throws IOException {
      return new Start(new StartInstant(in.readLong(), in.readLong()));
    }

    @Override
    public MessageType type() {
      return MessageType.START;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeLong(instant.nanos());
      out.writeLong(instant.uncertaintyNanos());
    }
  }

  /** Member to coordinator: I was told to end, and so should all. */
  record StopRequest(String reason) implements Message {
    static StopRequest read(DataInputStream in) throws IOException {
      return new StopRequest(text(in));
    }

    @Override
    public MessageType type() {
      return MessageType.STOP_REQUEST;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeUTF(cut(reason));
    }
  }

  /** Coordinator to member: the interval ends at this instant, for all. */
  record Stop(long nanos, String reason) implements Message {
    static Stop read(DataInputStream in) throws IOException {
      return new Stop(in.readLong(), text(in));
    }

    @Override
    public MessageType type() {
      return MessageType.STOP;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeLong(nanos);
      out.writeUTF(cut(reason));
    }
  }

  /** Either way, before the start: there will be no run. */
  record Abort(String reason) implements Message {
    static Abort read(DataInputStream in) throws IOException {
      return new Abort(text(in));
    }

    @Override
    public MessageType type() {
      return MessageType.ABORT;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeUTF(cut(reason));
    }
  }

  /** Member to coordinator: a file of this many bytes follows. */
  record FileBegin(String name, long bytes) implements Message {
    static FileBegin read(DataInputStream in) throws IOException {
      return new FileBegin(text(in), in.readLong());
    }

    @Override
    public MessageType type() {
      return MessageType.FILE;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.writeUTF(cut(name));
      out.writeLong(bytes);
    }
  }

  /** Member to coordinator: the next bytes of the file. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody, and copying costs
  record Chunk(byte[] bytes) implements Message {
    static Chunk read(DataInputStream in) throws IOException {
      return new Chunk(in.readAllBytes());
    }

    @Override
    public MessageType type() {
      return MessageType.CHUNK;
    }

    @Override
    public void write(DataOutputStream out) throws IOException {
      out.write(bytes);
    }
  }

  /** Member to coordinator: those were all files. */
  record Done() implements Message {
    static Done read(DataInputStream in) {
      return new Done();
    }

    @Override
    public MessageType type() {
      return MessageType.DONE;
    }

    @Override
    public void write(DataOutputStream out) {}
  }

  /** Coordinator to member: all files have come in whole. */
  record Received() implements Message {
    static Received read(DataInputStream in) {
      return new Received();
    }

    @Override
    public MessageType type() {
      return MessageType.RECEIVED;
    }

    @Override
    public void write(DataOutputStream out) {}
  }
}
