package io.shardmark.driver.measure;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The daemon thread of one who only watches a run: it does rounds, and between them tasks that
 * others give it. Its fault is noted, ends it, and harms nothing else.
 */
public final class ObserverThread implements AutoCloseable {
  private static final long PATIENCE_MILLIS = 5_000;

  private final String observer;
  private final Consumer<String> notes;
  private final Round round;
  private final Closeable end;
  private final BlockingQueue<Task> tasks = new LinkedBlockingQueue<>();
  private final Thread thread;
  private volatile boolean closing;

  /** What is done again and again. */
  @FunctionalInterface
  public interface Round {
    /**
     * Called on the observer's thread.
     *
     * @return nanoseconds until the next round
     * @throws IOException if nothing can be written any more
     */
    long run() throws IOException;
  }

  /** What is done once, on the observer's thread. */
  @FunctionalInterface
  public interface Task {
    void run() throws IOException;
  }

  /**
   * Not started yet.
   *
   * @param name of the thread
   * @param observer as people know it; is put before what it notes
   * @param notes receives one line if a round or a task fails
   * @param end the last thing that the thread does, also after a fault
   */
  public ObserverThread(
      String name, String observer, Consumer<String> notes, Round round, Closeable end) {
    this.observer = observer;
    this.notes = notes;
    this.round = round;
    this.end = end;
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try (end) {
      long due = System.nanoTime();
      while (!closing || !tasks.isEmpty()) {
        Task task = tasks.poll(Math.max(0, due - System.nanoTime()), TimeUnit.NANOSECONDS);
        if (task == null) {
          long rest = round.run();
          due = System.nanoTime() + rest;
        } else {
          task.run();
        }
      }
    } catch (IOException e) {
      notes.accept(observer + ": stopped, cannot write its file: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable fault) { // top of a thread
      notes.accept(
          observer + ": stopped by an internal fault: " + fault + "; its figures end here");
    }
  }

  /** Gives it a task, which it does before its next round. Never waits. */
  public void execute(Task task) {
    tasks.add(task);
  }

  /** How many tasks it has not begun. */
  int waiting() {
    return tasks.size();
  }

  public boolean isAlive() {
    return thread.isAlive();
  }

  /**
   * Lets it do the tasks that it has, and end. Waits for that a few seconds at most; an
   * interruption ends the waiting and stays set.
   */
  @Override
  public void close() {
    closing = true;
    tasks.add(() -> {}); // wakes it
    if (thread.getState() == Thread.State.NEW) {
      thread.start(); // for its end
    }
    try {
      thread.join(PATIENCE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
