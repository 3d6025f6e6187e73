package io.shardmark.driver.replication;

import java.util.ArrayDeque;
import java.util.Deque;

/** The state of a lane's rows in a run. Used by the thread that has the lane's terminal. */
final class Lane {
  private final int number;
  private final int table;
  private int nextOffset;
  private int inserted;
  private boolean deleteIsOpen;

  /** First ids of the transactions whose rows can be deleted, oldest first. */
  private final Deque<Integer> groups = new ArrayDeque<>();

  /**
   * @param inserted statements that have inserted so far
   */
  Lane(int number, int table, int nextOffset, int inserted) {
    this.number = number;
    this.table = table;
    this.nextOffset = nextOffset;
    this.inserted = inserted;
  }

  int table() {
    return table;
  }

  /** Rows that commits have inserted, loaded ones among them. */
  int inserted() {
    return inserted;
  }

  boolean hasRoomFor(int rows) {
    return nextOffset + rows <= TableLayout.IDS_OF_LANE;
  }

  /** Ids for one transaction, which are never used again, whatever becomes of it. */
  int takeIds(int rows) {
    int first = TableLayout.id(number, nextOffset);
    nextOffset += rows;
    return first;
  }

  /** Rows of a transaction that can be deleted. */
  void add(int firstId) {
    groups.add(firstId);
  }

  boolean hasRows() {
    return !groups.isEmpty();
  }

  /** A lane keeps its last rows, which show how many there were. */
  boolean hasRowsToDelete() {
    return groups.size() > 1;
  }

  int oldest() {
    return groups.element();
  }

  /** True if a DELETE of these rows was sent whose end is not known. */
  boolean deleteIsOpen() {
    return deleteIsOpen;
  }

  void beginDelete() {
    deleteIsOpen = true;
  }

  void committedInsert(int rows, int firstId, boolean deletable) {
    inserted += rows;
    if (deletable) {
      groups.add(firstId);
    }
  }

  void committedDelete() {
    groups.remove();
    deleteIsOpen = false;
  }
}
