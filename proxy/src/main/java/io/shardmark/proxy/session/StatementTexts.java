package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.protocol.ParseReader;
import java.util.HashMap;
import java.util.Map;

/**
 * The statements that clients of an event loop have prepared, each distinct one once. A text that
 * is prepared again after tables have changed is another one: a server refuses to execute what it
 * has prepared before if the columns of the result are others now.
 */
final class StatementTexts {
  /** Statements that nobody uses are kept up to this number. */
  private static final int MAX_UNUSED = 2_000;

  private final ParseReader ownTexts = new ParseReader(new NameCache());
  private final Map<Long, StatementText> byHash = new HashMap<>();
  private long lastId;
  private long lastOwnTables;

  /** At most so many have no user. */
  private int unused;

  /**
   * A version for tables as only one transaction sees them: what is prepared with these is not
   * shared. It is negative, and never comes again.
   */
  long ownTables() {
    return --lastOwnTables;
  }

  /**
   * The one that the reader is at.
   *
   * @param tables version of the tables of now
   */
  StatementText of(ParseReader parse, long tables) {
    long hash = parse.definitionHash();
    StatementText known = byHash.get(hash);
    boolean old = known != null && known.tables() != tables;
    if (known != null && !old && parse.isDefinition(known.definition())) {
      return known;
    }
    int[] typeOids = new int[parse.typeCount()];
    for (int i = 0; i < typeOids.length; i++) {
      typeOids[i] = parse.typeOid(i);
    }
    StatementText text =
        new StatementText(++lastId, hash, tables, parse.definition(), parse.text(), typeOids);
    if (tables >= 0 && (known == null || old)) {
      byHash.put(hash, text);
      // Most texts of the proxy's own, and those that are refused, never get a user.
      unused++;
    }
    if (unused > MAX_UNUSED) {
      byHash.values().removeIf(each -> each != text && each.isUnused());
      unused = 0;
    }
    return text;
  }

  /** A text of the proxy's own making. */
  StatementText of(String sql, long tables, int... typeOids) {
    ByteBuf message = Unpooled.buffer(sql.length() + 32);
    try {
      FrontendMessages.parse(message, "", sql, typeOids);
      ownTexts.read(message, 0, message.readableBytes());
      return of(ownTexts, tables);
    } finally {
      ownTexts.clear();
      message.release();
    }
  }

  void release(StatementText text) {
    if (text.unuse()) {
      unused++;
    }
  }

  int size() {
    return byHash.size();
  }
}
