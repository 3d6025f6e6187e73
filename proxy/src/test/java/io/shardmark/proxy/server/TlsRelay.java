package io.shardmark.proxy.server;

import io.shardmark.proxy.TestCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** Speaks TLS for a server that has none: answers SSLRequest, then passes all on. */
final class TlsRelay implements AutoCloseable {
  private static final int SSL_REQUEST_BYTES = 8;

  private final ServerSocket acceptor;
  private final SSLContext tls;
  private final int target;

  TlsRelay(TestCertificate certificate, int target) throws IOException, GeneralSecurityException {
    this.target = target;
    KeyStore keys = KeyStore.getInstance("PKCS12");
    Path store = certificate.key().resolveSibling("store.p12");
    char[] password = "secret".toCharArray();
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, password);
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(keys, password);
    tls = SSLContext.getInstance("TLS");
    tls.init(factory.getKeyManagers(), null, null);
    acceptor = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    daemon(this::accept);
  }

  int port() {
    return acceptor.getLocalPort();
  }

  private static void daemon(Runnable work) {
    Thread thread = new Thread(work, "tls-relay");
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = acceptor.accept();
        daemon(() -> serve(client));
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void serve(Socket plain) {
    try (plain;
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      plain.getInputStream().readNBytes(SSL_REQUEST_BYTES);
      plain.getOutputStream().write('S');
      SSLSocket client =
          (SSLSocket) tls.getSocketFactory().createSocket(plain, null, plain.getPort(), true);
      client.setUseClientMode(false);
      client.startHandshake();
      daemon(() -> copy(server, client));
      copy(client, server);
    } catch (IOException e) {
      // One of the two has gone, or does not trust us.
    }
  }

  private static void copy(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] bytes = new byte[8_192];
      for (int read = in.read(bytes); read > 0; read = in.read(bytes)) {
        out.write(bytes, 0, read);
        out.flush();
      }
      to.close();
    } catch (IOException e) {
      // The other direction ends with it.
    }
  }

  @Override
  public void close() throws IOException {
    acceptor.close();
  }
}
