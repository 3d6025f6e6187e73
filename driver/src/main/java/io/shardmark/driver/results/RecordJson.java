package io.shardmark.driver.results;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes records as JSON: their components and what they mark as {@link JsonProperty}. A run writes
 * two documents, at its end; what Jackson's databind learns of a hundred types before it writes the
 * first takes longer than that. Heeds of its annotations those that written records have.
 */
public final class RecordJson {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final MathContext DIGITS = new MathContext(5);

  /** Whole numbers below stay as they are; a double has them all. */
  private static final double MOST_WHOLE = 1e15;

  private static final ClassValue<WrittenType> TYPES =
      new ClassValue<>() {
        @Override
        protected WrittenType computeValue(Class<?> type) {
          return WrittenType.of(type);
        }
      };

  private final JsonGenerator json;
  private final JsonForm form;

  private RecordJson(JsonGenerator json, JsonForm form) {
    this.json = json;
    this.form = form;
  }

  /** In what documents differ. */
  public enum JsonForm {
    /** Indented, numbers with all of their digits; maps have no members that are null. */
    FILE,
    /** For scripts that draw: numbers of five digits, more nobody sees; null if not known. */
    DRAWN
  }

  /** The text of a document. */
  public static String of(Object document, JsonForm form) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(text)) {
      if (form == JsonForm.FILE) {
        json.useDefaultPrettyPrinter();
      }
      new RecordJson(json, form).write(document);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // plain values can always be written
    }
    return text.toString();
  }

  private void write(@Nullable Object value) throws IOException {
    if (value instanceof Double number && form == JsonForm.DRAWN) {
      draw(number);
    } else if (value instanceof Map<?, ?> members) {
      json.writeStartObject();
      for (Map.Entry<?, ?> member : members.entrySet()) {
        if (member.getValue() != null || form == JsonForm.DRAWN) {
          json.writeFieldName(member.getKey().toString());
          write(member.getValue());
        }
      }
      json.writeEndObject();
    } else if (value instanceof Iterable<?> elements) {
      json.writeStartArray();
      for (Object element : elements) {
        write(element);
      }
      json.writeEndArray();
    } else if (value instanceof Enum<?> constant) {
      WrittenMember name = TYPES.get(constant.getDeclaringClass()).value();
      json.writeString(name == null ? constant.name() : String.valueOf(name.of(constant)));
    } else if (value instanceof Record whole) {
      write(whole, TYPES.get(whole.getClass()));
    } else {
      json.writeObject(value); // a text, a number, a truth value or null
    }
  }

  private void draw(double number) throws IOException {
    if (!Double.isFinite(number)) {
      json.writeNull();
    } else if (number == Math.rint(number) && Math.abs(number) < MOST_WHOLE) {
      json.writeNumber((long) number);
    } else {
      json.writeNumber(new BigDecimal(number).round(DIGITS));
    }
  }

  private void write(Record whole, WrittenType type) throws IOException {
    if (type.value() != null) {
      write(type.value().of(whole));
      return;
    }
    json.writeStartObject();
    if (!type.kind().isEmpty()) {
      json.writeStringField(type.kind(), whole.getClass().getSimpleName());
    }
    for (WrittenMember member : type.members()) {
      Object value = member.of(whole);
      if (!member.leavesOut(value)) {
        json.writeFieldName(member.name());
        write(value);
      }
    }
    json.writeEndObject();
  }

  /**
   * What is written of a type.
   *
   * @param value in place of all members; null if there is none
   * @param kind the member that names the type; empty without
   */
  private record WrittenType(
      @Nullable WrittenMember value, String kind, List<WrittenMember> members) {
    static WrittenType of(Class<?> type) {
      WrittenMember value = null;
      Map<String, WrittenMember> members = new LinkedHashMap<>();
      if (type.isRecord()) {
        for (RecordComponent component : type.getRecordComponents()) {
          add(members, component.getAccessor());
        }
      }
      for (Method method :
          Stream.of(type.getDeclaredMethods())
              .filter(one -> one.getAnnotations().length > 0)
              .sorted(Comparator.comparing(Method::getName))
              .toList()) {
        if (method.isAnnotationPresent(JsonValue.class)) {
          value = WrittenMember.of(method);
        } else if (method.isAnnotationPresent(JsonProperty.class)) {
          add(members, method);
        }
      }
      List<WrittenMember> inOrder = new ArrayList<>();
      JsonPropertyOrder order = type.getAnnotation(JsonPropertyOrder.class);
      for (String first : order == null ? new String[0] : order.value()) {
        inOrder.add(Objects.requireNonNull(members.remove(first), first));
      }
      inOrder.addAll(members.values());
      return new WrittenType(value, kind(type), inOrder);
    }

    private static void add(Map<String, WrittenMember> members, Method getter) {
      if (!getter.isAnnotationPresent(JsonIgnore.class)) {
        WrittenMember member = WrittenMember.of(getter);
        members.putIfAbsent(member.name(), member);
      }
    }

    private static String kind(Class<?> type) {
      return Stream.of(type.getInterfaces())
          .map(parent -> parent.getAnnotation(JsonTypeInfo.class))
          .filter(info -> info != null)
          .map(JsonTypeInfo::property)
          .findFirst()
          .orElse("");
    }
  }

  private record WrittenMember(String name, Method getter, JsonInclude.Include include) {
    static WrittenMember of(Method getter) {
      getter.setAccessible(true);
      JsonProperty property = getter.getAnnotation(JsonProperty.class);
      JsonInclude include = getter.getAnnotation(JsonInclude.class);
      return new WrittenMember(
          property == null || property.value().isEmpty() ? getter.getName() : property.value(),
          getter,
          include == null ? JsonInclude.Include.NON_NULL : include.value());
    }

    private @Nullable Object of(Object whole) {
      try {
        return getter.invoke(whole);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("%s cannot be read".formatted(getter), e);
      }
    }

    boolean leavesOut(@Nullable Object value) {
      return switch (include) {
        case NON_EMPTY ->
            value == null || value.equals("") || (value instanceof Collection<?> c && c.isEmpty());
        case NON_DEFAULT ->
            value == null || (value instanceof Number number && number.doubleValue() == 0);
        default -> value == null;
      };
    }
  }
}
