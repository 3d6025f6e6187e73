package io.shardmark.driver.idle;

import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** One {@link IdleClients}, as its driver sees it. Ends when it is closed, or the driver ends. */
final class HelperProcess implements AutoCloseable {
  /** A session takes a kilobyte or two here. */
  private static final List<String> FLAGS =
      List.of("-Xmx128m", "-Xss512k", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

  private static final long END_SECONDS = 5;

  private final Process process;

  private HelperProcess(Process process) {
    this.process = process;
  }

  /** Starts one, which opens nothing before its orders. */
  static HelperProcess start(IdleOrders orders) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(
        List.of("-cp", System.getProperty("java.class.path"), IdleClients.class.getName()));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    HelperProcess helper = new HelperProcess(builder.start());
    boolean ordered = false;
    try {
      orders.write(new DataOutputStream(helper.process.getOutputStream()));
      ordered = true;
      return helper;
    } finally {
      if (!ordered) {
        helper.close();
      }
    }
  }

  /**
   * Reads what it reports to its end.
   *
   * @param reports receives each report and what it is about
   * @return whether it ended as it should, with a last word
   */
  boolean read(BiConsumer<IdleReport, String> reports) throws IOException {
    boolean ended = false;
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        IdleReport report = IdleReport.of(line);
        ended |= report == IdleReport.CLOSED || report == IdleReport.REFUSED;
        reports.accept(report, IdleReport.about(line));
      }
    }
    return ended;
  }

  void send(int order) {
    OutputStream pipe = process.getOutputStream();
    try {
      pipe.write(order);
      pipe.flush();
    } catch (IOException e) {
      // It has ended; who reads its reports knows.
    }
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended.
    }
    boolean ended = false;
    try {
      ended = process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (!ended) {
      process.destroyForcibly();
    }
  }
}
