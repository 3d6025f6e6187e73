package io.shardmark.config;

import java.util.Locale;

/** A constant of an enum that properties files name. */
public interface NamedConstant {
  /** As an enum has it. */
  String name();

  /** As properties files have it: in lower case. */
  default String propertyName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
