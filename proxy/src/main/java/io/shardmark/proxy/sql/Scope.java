package io.shardmark.proxy.sql;

import io.shardmark.proxy.protocol.PgType;
import io.shardmark.proxy.shardmap.KeyType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names that an expression can see: tables of FROM, then those of enclosing queries. */
public final class Scope {
  /**
   * A column of a table or query.
   *
   * @param name null if it has none that is known
   * @param variable null if its values are of no concern to a route
   */
  public record ScopeOutput(
      @Nullable String name, @Nullable Variable variable, boolean byteOrdered) {}

  /**
   * @param complete whether {@code columns} are all, in their order; the names of some may not be
   *     known
   */
  public record Relation(@Nullable String name, List<ScopeOutput> columns, boolean complete) {}

  /**
   * @param outer it belongs to an enclosing query
   */
  public record Found(ScopeOutput output, boolean outer) {
    public @Nullable Variable variable() {
      return output.variable();
    }
  }

  /** A query of WITH: read anew for each use, so that each use has its own variables. */
  record NamedQuery(Syntax.Cte cte, @Nullable Scope definedIn, @Nullable Relation result) {}

  private final @Nullable Scope parent;
  private final List<Relation> relations = new ArrayList<>();
  private final Map<String, ScopeOutput> merged = new HashMap<>();
  private final Map<String, NamedQuery> named = new HashMap<>();

  Scope(@Nullable Scope parent) {
    this.parent = parent;
  }

  /** The same names of WITH and of enclosing queries, without the tables of this one. */
  @Nullable Scope withoutRelations() {
    if (named.isEmpty()) {
      return parent;
    }
    Scope scope = new Scope(parent);
    scope.named.putAll(named);
    return scope;
  }

  void add(Relation relation) {
    relations.add(relation);
  }

  public List<Relation> relations() {
    return relations;
  }

  /** A column that JOIN USING made one of two. */
  void merge(String name, ScopeOutput output) {
    merged.put(name, output);
  }

  public boolean hasMergedColumns() {
    return !merged.isEmpty();
  }

  public boolean hasMergedColumns(Set<String> names) {
    return merged.keySet().stream().anyMatch(names::contains);
  }

  void define(String name, NamedQuery query) {
    named.put(name, query);
  }

  @Nullable NamedQuery named(String name) {
    for (Scope scope = this; scope != null; scope = scope.parent) {
      NamedQuery query = scope.named.get(name);
      if (query != null) {
        return query;
      }
    }
    return null;
  }

  /** The column of that name; null if unknown or not certain. */
  public @Nullable Found find(@Nullable String qualifier, String column) {
    for (Scope scope = this; scope != null; scope = scope.parent) {
      Lookup lookup =
          qualifier == null ? scope.unqualified(column) : scope.qualified(qualifier, column);
      if (lookup.output != null) {
        return new Found(lookup.output, scope != this);
      }
      if (lookup.stop) {
        return null;
      }
    }
    return null;
  }

  /** Whether a table of this query itself has, or may have, a column of that name. */
  boolean mayHave(String column) {
    return unqualified(column).stop;
  }

  /** {@code stop}: the name means something here that is not known further. */
  private record Lookup(@Nullable ScopeOutput output, boolean stop) {
    static final Lookup ELSEWHERE = new Lookup(null, false);
  }

  private Lookup qualified(String qualifier, String column) {
    for (Relation relation : relations) {
      if (qualifier.equals(relation.name())) {
        return new Lookup(only(List.of(relation), column), true);
      }
    }
    return Lookup.ELSEWHERE;
  }

  /** The one column of that name that the tables have; null if there is none, or several. */
  static @Nullable ScopeOutput only(List<Relation> relations, String column) {
    ScopeOutput found = null;
    for (Relation relation : relations) {
      for (ScopeOutput output : relation.columns()) {
        if (column.equals(output.name())) {
          if (found != null) {
            return null;
          }
          found = output;
        }
      }
    }
    return found;
  }

  private Lookup unqualified(String column) {
    ScopeOutput joined = merged.get(column);
    if (joined != null) {
      return new Lookup(joined, true);
    }
    boolean stop =
        relations.stream()
            .anyMatch(
                relation ->
                    !relation.complete()
                        || relation.columns().stream()
                            .anyMatch(one -> one.name() == null || column.equals(one.name())));
    return stop ? new Lookup(only(relations, column), true) : Lookup.ELSEWHERE;
  }

  /** Which type of key values of a column type are; null if none. */
  static @Nullable KeyType keyType(int typeOid) {
    PgType type = PgType.of(typeOid);
    if (type == null) {
      return null;
    }
    return switch (type) {
      case INT2, INT4, INT8 -> KeyType.INTEGER;
      case TEXT, VARCHAR -> KeyType.TEXT;
      case UUID -> KeyType.UUID;
      default -> null;
    };
  }
}
