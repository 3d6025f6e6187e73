package io.shardmark.proxy.execution;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.execution.StatementText.TextPlace;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.protocol.ParseReader;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The statements that clients of an event loop have prepared, each distinct one once. A text that
 * is prepared again after tables have changed, or that servers describe otherwise now, is another
 * one: a server refuses to execute what it has prepared before if the columns of the result are
 * others now.
 */
public final class StatementTexts {
  /** So many are known; of more, those that were prepared last. */
  private static final int MOST = 5_000;

  private final ParseReader ownTexts = new ParseReader(new NameCache());

  private final Map<Long, StatementText> byHash =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, StatementText> eldest) {
          return size() > MOST;
        }
      };

  private long lastId;
  private long lastOwnTables;

  /** Counts what makes all texts new ones. */
  private long outdated;

  /**
   * What servers have prepared is not what they would prepare now: every text is a new one from
   * here on.
   */
  public void outdate() {
    outdated++;
  }

  /** How often that has happened. */
  public long outdatedCount() {
    return outdated;
  }

  /**
   * A version for tables as only one transaction sees them: what is prepared with these is not
   * shared. It is negative, and never comes again.
   */
  public long ownTables() {
    return --lastOwnTables;
  }

  /** The one that the reader is at, for clients. */
  public StatementText of(ParseReader parse, NameScope scope) {
    return of(parse, scope, parse.definitionHash());
  }

  private StatementText of(ParseReader parse, NameScope scope, long definitionHash) {
    long hash =
        31 * (31 * definitionHash + scope.searchPath().hashCode()) + scope.literals().hashCode();
    StatementText known = byHash.get(hash);
    boolean old = known != null && !known.scope().equals(scope);
    if (known != null && !old && parse.isDefinition(known.definition())) {
      return known;
    }
    int[] typeOids = new int[parse.typeCount()];
    for (int i = 0; i < typeOids.length; i++) {
      typeOids[i] = parse.typeOid(i);
    }
    StatementText text =
        new StatementText(
            new TextPlace(++lastId, hash), scope, parse.definition(), parse.text(), typeOids);
    if (scope.isShared() && (known == null || old)) {
      byHash.put(hash, text);
    }
    return text;
  }

  /**
   * The one that means what a server has said of that text now; the text itself, or a new one in
   * its place.
   */
  public StatementText meaning(StatementText text, int shard, long exact) {
    if (text.agrees(shard, exact)) {
      return text;
    }
    StatementText renewed = text.renewed(++lastId);
    StatementText latest = byHash.get(text.hash());
    if (latest != null
        && latest.scope().equals(text.scope())
        && Arrays.equals(latest.definition(), text.definition())) {
      if (latest.agrees(shard, exact)) {
        return latest;
      }
      byHash.put(text.hash(), renewed);
    }
    renewed.agrees(shard, exact);
    return renewed;
  }

  /** A text of the proxy's own making: apart from those of clients, who know what theirs mean. */
  public StatementText of(String sql, NameScope scope, int... typeOids) {
    ByteBuf message = Unpooled.buffer(sql.length() + 32);
    try {
      FrontendMessages.parse(message, "", sql, typeOids);
      ownTexts.read(message, 0, message.readableBytes());
      return of(ownTexts, scope, ~ownTexts.definitionHash());
    } finally {
      ownTexts.clear();
      message.release();
    }
  }
}
