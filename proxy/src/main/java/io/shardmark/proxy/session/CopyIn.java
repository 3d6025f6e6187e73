package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.pool.ServerConnection;

/** Where CopyData of the client go (PG18 §54.2.7 protocol-copy). */
interface CopyIn {
  /** CopyData, CopyDone or CopyFail; false: not now. */
  boolean message(byte type, ByteBuf buffer, int start, int length);

  /** Whether long CopyData may come in pieces. */
  boolean streams();

  /**
   * A piece of one, also when the copy has failed since the first: whoever got that needs all of
   * it.
   *
   * @param bytesToCome how much of the message is still to follow
   * @return false: pause after it
   */
  boolean piece(ByteBuf buffer, int start, int length, int bytesToCome);

  /** All to one server, as they are. */
  final class ToOneServer implements CopyIn {
    private final ServerConnection server;
    private boolean done;

    ToOneServer(ServerConnection server) {
      this.server = server;
    }

    @Override
    public boolean message(byte type, ByteBuf buffer, int start, int length) {
      if (done) {
        return true;
      }
      if (!server.takesMore()) {
        return false;
      }
      server.send(buffer, start, length);
      done = type != 'd';
      return true;
    }

    @Override
    public boolean streams() {
      return true;
    }

    @Override
    public boolean piece(ByteBuf buffer, int start, int length, int bytesToCome) {
      if (server.isClosed()) {
        return true;
      }
      server.sendPiece(buffer, start, length, bytesToCome);
      return server.takesMore();
    }
  }
}
