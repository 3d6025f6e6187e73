package io.shardmark.proxy.routing;

import io.netty.buffer.ByteBuf;
import io.shardmark.proxy.shardmap.KeyType;
import io.shardmark.proxy.shardmap.UuidKey;
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

  /** Stands for a type that no key is read of. */
  private static final int OTHER = -1;

  private final ByteBuf body;
  private final int formats;
  private final int[] declaredTypes;

  /**
   * @param body of the Bind message, borrowed
   * @param formats index in {@code body} of the number of format codes: behind the statement's name
   * @param declaredTypes type oids of Parse, 0 where the server was to infer one; may be shorter
   *     than the list of parameters; borrowed as well: one is made for every Bind
   */
  public BindParameters(ByteBuf body, int formats, int[] declaredTypes) {
    this.body = body;
    this.formats = formats;
    this.declaredTypes = declaredTypes;
  }

  @Override
  public @Nullable Object value(int index, KeyType type) {
    int at = find(index);
    int length = body.getInt(at);
    if (length < 0) {
      return null;
    }
    check(at + 4, length);
    requireReadable(index, declared(index), type);
    if (isBinary(index)) {
      return binary(at + 4, length, type);
    }
    if (type != KeyType.INTEGER) {
      return KeyText.of(type, utf8(at + 4, length));
    }
    try {
      return KeyText.integer(new Latin1(body, at + 4, length));
    } catch (KeyFormatException e) {
      if (declared(index) == NUMERIC) {
        throw KeyFormatException.notReadHere(String.valueOf(e.getMessage()));
      }
      throw e;
    }
  }

  @Override
  public List<Object> elements(int index, KeyType type) {
    int at = find(index);
    int length = body.getInt(at);
    if (length < 0) {
      return List.of();
    }
    check(at + 4, length);
    if (isBinary(index)) {
      return binaryElements(at + 4, length, type);
    }
    int declared = declared(index);
    requireReadable(index, declared == 0 ? 0 : ELEMENT_TYPES.getOrDefault(declared, OTHER), type);
    List<Object> keys = new ArrayList<>();
    for (String element : KeyText.array(utf8(at + 4, length))) {
      keys.add(KeyText.of(type, element));
    }
    return keys;
  }

  /** Offset of the parameter's length word. */
  private int find(int index) {
    int formatCount = body.getUnsignedShort(formats);
    int at = formats + 2 + 2 * formatCount;
    check(at, 2);
    int count = body.getUnsignedShort(at);
    at += 2;
    if (index >= count) {
      throw new KeyFormatException(
          "the key is in parameter $" + (index + 1) + ", but Bind has " + count);
    }
    for (int i = 0; i < index; i++) {
      check(at, 4);
      at += 4 + Math.max(0, body.getInt(at));
    }
    check(at, 4);
    return at;
  }

  private void check(int at, int length) {
    if (at < 0 || length > body.writerIndex() - at) {
      throw new KeyFormatException("Bind ends before the parameter that decides the route");
    }
  }

  private boolean isBinary(int index) {
    int count = body.getUnsignedShort(formats);
    if (count == 0) {
      return false;
    }
    int format = count == 1 ? 0 : index;
    if (format >= count) {
      throw new KeyFormatException("Bind has " + count + " format codes");
    }
    return body.getShort(formats + 2 + 2 * format) == 1;
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
              (isBinary(index) ? BINARY_INTEGERS : READ_AS_INTEGER_TEXT).contains(declared);
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
    check(start, 12);
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
