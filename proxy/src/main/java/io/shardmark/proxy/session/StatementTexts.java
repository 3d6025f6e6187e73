package io.shardmark.proxy.session;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.shardmark.proxy.protocol.FrontendMessages;
import io.shardmark.proxy.protocol.NameCache;
import io.shardmark.proxy.protocol.ParseReader;
import java.util.HashMap;
import java.util.Map;

/** The statements that clients of an event loop have prepared, each distinct one once. */
final class StatementTexts {
  /** Statements that nobody uses are kept up to this number. */
  private static final int MAX_UNUSED = 2_000;

  private final ParseReader ownTexts = new ParseReader(new NameCache());
  private final Map<Long, StatementText> byHash = new HashMap<>();
  private long lastId;
  private int unused;

  /** The one that the reader is at. */
  StatementText of(ParseReader parse) {
    long hash = parse.definitionHash();
    StatementText known = byHash.get(hash);
    if (known != null && parse.isDefinition(known.definition())) {
      return known;
    }
    int[] typeOids = new int[parse.typeCount()];
    for (int i = 0; i < typeOids.length; i++) {
      typeOids[i] = parse.typeOid(i);
    }
    StatementText text =
        new StatementText(++lastId, hash, parse.definition(), parse.text(), typeOids);
    if (known == null) {
      byHash.put(hash, text);
    }
    if (unused > MAX_UNUSED) {
      byHash.values().removeIf(each -> each != text && each.isUnused());
      unused = 0;
    }
    return text;
  }

  /** A text of the proxy's own making. */
  StatementText of(String sql, int... typeOids) {
    ByteBuf message = Unpooled.buffer(sql.length() + 32);
    try {
      FrontendMessages.parse(message, "", sql, typeOids);
      ownTexts.read(message, 0, message.readableBytes());
      return of(ownTexts);
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
