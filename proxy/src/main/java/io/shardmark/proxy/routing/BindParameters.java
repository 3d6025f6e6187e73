package io.shardmark.proxy.routing;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.protocol.BindReader;
import io.shardmark.proxy.protocol.ProtocolViolationException;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.UuidKey;
import io.shardmark.proxy.sql.KeyFormatException;
import io.shardmark.proxy.sql.KeyText;
import io.shardmark.proxy.sql.ParameterSource;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parameter values of a Bind message (PG18 §54.7 protocol-message-formats), read where a route
 * needs them and nowhere else. Borrows the buffer: valid only as long as the message is. Text keys
 * are read as UTF-8: with another client_encoding only ASCII is safe. Not for several threads.
 */
public final class BindParameters implements ParameterSource {
  private static final int INT8 = 20;
  private static final int INT2 = 21;
  private static final int INT4 = 23;
  private static final int TEXT = 25;
  private static final int UNKNOWN = 705;
  private static final int VARCHAR = 1043;
  private static final int NUMERIC = 1700;
  private static final int UUID = 2950;

  /** What an integer's text means the same key as: floating-point numbers and oids do not. */
  private static final Set<Integer> READ_AS_INTEGER_TEXT =
      Set.of(UNKNOWN, INT2, INT4, INT8, NUMERIC, TEXT, VARCHAR);

  private static final Set<Integer> READ_AS_TEXT = Set.of(UNKNOWN, TEXT, VARCHAR);
  private static final Set<Integer> BINARY_INTEGERS = Set.of(INT2, INT4, INT8);

  /** Of arrays the type of their elements. */
  private static final Map<Integer, Integer> ELEMENT_TYPES =
      Map.of(
          1005, INT2, 1007, INT4, 1016, INT8, 1231, NUMERIC, 1009, TEXT, 1015, VARCHAR, 2951, UUID,
          UNKNOWN, UNKNOWN);

  /** Marks a type that no key is read of. */
  private static final int OTHER = -1;

  private final BindReader bind;
  private final ByteBuf body;
  private final int[] declaredTypes;

  /**
   * @param bind turned to the message; borrowed
   * @param declaredTypes type oids of Parse, 0 where the server was to infer one; may be shorter
   *     than the list of parameters; borrowed as well: one is made for every Bind
   */
  public BindParameters(BindReader bind, int[] declaredTypes) {
    this.bind = bind;
    this.body = bind.buffer();
    this.declaredTypes = declaredTypes;
  }

  @Override
  public @Nullable Object value(int index, KeyType type) {
    int length = find(index);
    if (length < 0) {
      return null;
    }
    int at = bind.valueStart(index);
    requireReadable(index, declared(index), type);
    if (bind.isBinary(index)) {
      return binary(at, length, type);
    }
    if (type != KeyType.INTEGER) {
      return KeyText.of(type, utf8(at, length));
    }
    try {
      return KeyText.integer(new Latin1(body, at, length));
    } catch (KeyFormatException e) {
      if (declared(index) == NUMERIC) {
        throw KeyFormatException.notReadHere(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  @Override
  public List<Object> elements(int index, KeyType type) {
    int length = find(index);
    if (length < 0) {
      return List.of();
    }
    int at = bind.valueStart(index);
    if (bind.isBinary(index)) {
      return binaryElements(at, length, type);
    }
    int declared = declared(index);
    requireReadable(index, declared == 0 ? 0 : ELEMENT_TYPES.getOrDefault(declared, OTHER), type);
    List<Object> keys = new ArrayList<>();
    // With array_nulls off, NULL is a text; where it leads is then looked at for nothing else.
    for (String element : KeyText.array(utf8(at, length), type == KeyType.TEXT)) {
      keys.add(KeyText.of(type, element));
    }
    return keys;
  }

  /** The length of the value, or -1 for NULL. */
  private int find(int index) {
    try {
      int count = bind.declaredParameterCount();
      if (index >= count) {
        throw new KeyFormatException(
            "the key is in parameter $" + (index + 1) + ", but Bind has " + count);
      }
      return bind.valueLength(index);
    } catch (ProtocolViolationException e) {
      throw new KeyFormatException("the key cannot be read: " + e.getMessage());
    }
  }

  /** The type oid of Parse, 0 if it gives none. */
  private int declared(int index) {
    return index < declaredTypes.length ? declaredTypes[index] : 0;
  }

  /**
   * A value of another type is compared, or assigned, by that type's rules: as a floating-point
   * number it equals several integers.
   */
  private void requireReadable(int index, int declared, KeyType type) {
    if (declared == 0) {
      return;
    }
    boolean readable =
        switch (type) {
          case INTEGER ->
              (bind.isBinary(index) ? BINARY_INTEGERS : READ_AS_INTEGER_TEXT).contains(declared);
          case TEXT -> READ_AS_TEXT.contains(declared);
          case UUID -> declared == UUID || declared == UNKNOWN;
        };
    if (!readable) {
      throw KeyFormatException.notReadHere(
          "parameter $"
              + (index + 1)
              + ", which decides the route, is declared with type oid "
              + declared(index)
              + ", which is not the type of the sharding column");
    }
  }

  private Long binaryInteger(int at, int length) {
    return switch (length) {
      case 2 -> (long) body.getShort(at);
      case 4 -> (long) body.getInt(at);
      case 8 -> body.getLong(at);
      default ->
          throw new KeyFormatException("a binary integer key cannot have " + length + " bytes");
    };
  }

  /** Dimensions, a flag, the element type, and for each dimension its size and lower bound. */
  private List<Object> binaryElements(int start, int length, KeyType type) {
    int end = start + length;
    if (length < 12) {
      throw new KeyFormatException("the array of keys ends early");
    }
    int dimensions = body.getInt(start);
    int elementType = body.getInt(start + 8);
    if (dimensions == 0) {
      return List.of();
    }
    boolean fits =
        switch (type) {
          case INTEGER -> elementType == INT2 || elementType == INT4 || elementType == INT8;
          case TEXT -> elementType == TEXT || elementType == VARCHAR;
          case UUID -> elementType == UUID;
        };
    if (dimensions != 1 || !fits || length < 20) {
      throw KeyFormatException.notReadHere(
          "the array of keys has " + dimensions + " dimensions of type oid " + elementType);
    }
    int count = body.getInt(start + 12);
    List<Object> keys = new ArrayList<>();
    int at = start + 20;
    for (int i = 0; i < count; i++) {
      if (at + 4 > end || body.getInt(at) > end - at - 4) {
        throw new KeyFormatException("the array of keys ends early");
      }
      int size = body.getInt(at);
      if (size >= 0) {
        keys.add(binary(at + 4, size, type));
      }
      at += 4 + Math.max(0, size);
    }
    return keys;
  }

  private Object binary(int at, int length, KeyType type) {
    return switch (type) {
      case INTEGER -> binaryInteger(at, length);
      case TEXT -> utf8(at, length);
      case UUID -> {
        try {
          yield UuidKey.ofBinary(body.nioBuffer(at, length));
        } catch (IllegalArgumentException e) {
          throw new KeyFormatException("a key " + e.getMessage());
        }
      }
    };
  }

  private String utf8(int at, int length) {
    ByteBuffer bytes = body.nioBuffer(at, length);
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(bytes)
          .toString();
    } catch (CharacterCodingException e) {
      throw new KeyFormatException("a text key is not UTF-8: set client_encoding to UTF8");
    }
  }

  /** Bytes as characters, without a copy, however many a client sends. */
  private record Latin1(ByteBuf body, int start, int length) implements CharSequence {
    @Override
    public char charAt(int index) {
      return (char) body.getUnsignedByte(start + index);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
      return new Latin1(body, start + from, to - from);
    }

    @Override
    public String toString() {
      return body.toString(start, length, StandardCharsets.ISO_8859_1);
    }
  }
}
