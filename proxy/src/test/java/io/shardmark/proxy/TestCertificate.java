package io.shardmark.proxy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** A certificate for localhost and 127.0.0.1, signed by itself, as PEM files; made by keytool. */
public record TestCertificate(Path certificate, Path key) {
  private static final String PASSWORD = "secret";
  private static final String ALIAS = "test";

  /** Makes a new one in that directory. */
  public static TestCertificate create(Path directory)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = directory.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-keystore",
                    store.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD,
                    "-alias",
                    ALIAS,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=localhost",
                    "-ext",
                    "SAN=dns:localhost,ip:127.0.0.1"))
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + output);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Path certificate = directory.resolve("server.crt");
    Path key = directory.resolve("server.key");
    writePem(certificate, "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
    writePem(key, "PRIVATE KEY", keys.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded());
    return new TestCertificate(certificate, key);
  }

  private static void writePem(Path file, String type, byte[] content) throws IOException {
    Files.writeString(
        file,
        "-----BEGIN %s-----%n%s%n-----END %s-----%n"
            .formatted(
                type,
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                    .encodeToString(content),
                type));
  }
}
