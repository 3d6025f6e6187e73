package io.shardmark.driver.coordination;

import io.shardmark.config.ConfigException;
import io.shardmark.config.DriversConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The drivers of one run, as one of them sees it. Its methods are for the thread of the run, in
 * this order: {@link #join}, {@link #awaitStart}, {@link #awaitInstant}, then {@link #collect} in
 * driver 0 or {@link #bring} in the others. {@link #requestStop} is for any thread.
 */
public final class DriverGroup implements AutoCloseable {
  private final DriversConfig config;
  private final Membership membership;
  private final @Nullable Coordinator coordinator;
  private final GroupTerms terms;

  private DriverGroup(
      DriversConfig config,
      Membership membership,
      @Nullable Coordinator coordinator,
      GroupTerms terms) {
    this.config = config;
    this.membership = membership;
    this.coordinator = coordinator;
    this.terms = terms;
  }

  /**
   * What driver 0 brings to the terms of its group; the others take what it says.
   *
   * @param warehouses of the whole run
   */
  public record Proposal(int warehouses, long seed, boolean seedDrawn, int run) {}

  /**
   * Where lines for users go; on any thread.
   *
   * @param info what happens
   * @param error what goes wrong
   */
  public record Voice(Consumer<String> info, Consumer<String> error) {}

  /**
   * Waits until all drivers are there and agree.
   *
   * @param voice told what users should know; on any thread
   * @throws ConfigException if they are not all there in time, or do not agree
   */
  public static DriverGroup join(
      DriversConfig config, DriverIdentity identity, Proposal proposal, Voice voice)
      throws InterruptedException {
    Coordinator coordinator = null;
    if (config.isCoordinator()) {
      GroupTerms terms =
          new GroupTerms(
              UUID.randomUUID().toString(),
              config.count(),
              proposal.seed(),
              proposal.seedDrawn(),
              proposal.run());
      Roster roster = new Roster(config.count(), proposal.warehouses(), identity);
      coordinator = Coordinator.open(config, terms, roster, voice);
    }
    voice
        .info()
        .accept(
            "Driver %d, one of %d: waiting for the others at %s"
                .formatted(config.index(), config.count(), config.coordinator()));
    Membership membership = null;
    try {
      membership = Membership.join(config, identity);
      DriverGroup group = new DriverGroup(config, membership, coordinator, membership.awaitTerms());
      membership = null;
      coordinator = null;
      return group;
    } finally {
      closeIfFailed(membership, coordinator);
    }
  }

  private static void closeIfFailed(
      @Nullable Membership membership, @Nullable Coordinator coordinator) {
    if (membership != null) {
      membership.close();
    }
    if (coordinator != null) {
      coordinator.close();
    }
  }

  public GroupTerms terms() {
    return terms;
  }

  /** Which driver this is. */
  public DriversConfig config() {
    return config;
  }

  /**
   * Says that this driver can start, and waits until all can.
   *
   * @return an instant in the future
   * @throws ConfigException if there will be no run
   */
  public StartInstant awaitStart() throws InterruptedException {
    return membership.awaitStart();
  }

  /**
   * Waits for that instant.
   *
   * @throws ConfigException if a driver was lost meanwhile: there will be no run
   */
  public void awaitInstant(StartInstant instant) throws InterruptedException {
    membership.awaitInstant(instant);
  }

  /** This driver cannot take part: tells the others why, so that none starts. */
  public void refuse(String reason) {
    membership.refuse(reason);
  }

  /**
   * What to do when one of the drivers was told to end.
   *
   * @param end takes the instant at which the interval ends; on any thread
   */
  public void onStop(LongConsumer end) {
    membership.onStop(end);
  }

  /** This driver was told to end: all will, at one instant. Returns at once. */
  public void requestStop(String reason) {
    membership.requestStop(reason);
  }

  /** True if the run was ended before its time. */
  public boolean isStopped() {
    return membership.isStopped();
  }

  /** In driver 0, before {@link #awaitStart}: where the others' files go. */
  public void receiveInto(Path directory) {
    if (coordinator != null) {
      coordinator.receiveInto(directory);
    }
  }

  /** In driver 0: waits for the others' files. */
  public Collected collect() throws InterruptedException {
    if (coordinator == null) {
      throw new IllegalStateException("driver %d collects nothing".formatted(config.index()));
    }
    Collected collected = coordinator.collect();
    membership.finish();
    return collected;
  }

  /**
   * In the other drivers: brings this driver's result to driver 0.
   *
   * @return empty if it is there; otherwise why not
   */
  public String bring(Path directory) throws InterruptedException {
    try {
      return membership.bring(directory);
    } catch (IOException e) {
      String ended = membership.ended();
      return ended.isEmpty() ? e.toString() : ended;
    }
  }

  @Override
  public void close() {
    membership.close();
    if (coordinator != null) {
      coordinator.close();
    }
  }
}
