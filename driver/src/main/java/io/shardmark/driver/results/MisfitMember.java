package io.shardmark.driver.results;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonMappingException.Reference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import java.util.Collection;

/** A member of a {@code summary.json} that cannot be where it is. */
final class MisfitMember {
  /** A damaged value may be as long as the file. */
  private static final int LONGEST = 40;

  private MisfitMember() {}

  /** {@code types[2].count: expected a number, found "x"}. */
  static String sentence(JsonMappingException fault, JsonNode root) {
    StringBuilder where = new StringBuilder();
    JsonNode found = root;
    for (Reference step : fault.getPath()) {
      String name = step.getFieldName();
      found = name == null ? found.path(step.getIndex()) : found.path(name);
      where.append(
          name == null ? "[" + step.getIndex() + "]" : (where.isEmpty() ? "" : ".") + name);
    }
    String text = found.isMissingNode() ? "nothing" : found.toString();
    return "%s: expected %s, found %s"
        .formatted(
            where,
            expected(fault),
            text.length() > LONGEST ? text.substring(0, LONGEST) + "..." : text);
  }

  private static String expected(JsonMappingException fault) {
    Throwable refusal = fault.getCause();
    if (fault instanceof ValueInstantiationException && refusal != null) {
      return String.valueOf(refusal.getMessage()); // by the record's constructor
    }
    if (fault instanceof InvalidNullException) {
      return "a value";
    }
    Class<?> kind = fault instanceof MismatchedInputException of ? of.getTargetType() : null;
    if (kind == boolean.class || kind == Boolean.class) {
      return "true or false";
    }
    if (kind == String.class) {
      return "a text";
    }
    if (kind == null || kind.isPrimitive() || Number.class.isAssignableFrom(kind)) {
      return "a number within its bounds";
    }
    return Collection.class.isAssignableFrom(kind) ? "a list" : "an object";
  }
}
