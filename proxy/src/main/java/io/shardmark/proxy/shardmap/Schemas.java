package io.shardmark.proxy.shardmap;

import java.util.Set;

/**
 * Which schemas there are, and what sessions begin with: how names are looked up (PG18 §5.10.3
 * ddl-schemas-path).
 *
 * @param names all but PostgreSQL's own
 * @param functionsSet whether a function or procedure of a user may change settings that outlast it
 * @param parametersSet custom parameters that functions of users set
 * @param calledUnseen what calls functions of users, perhaps such ones, without naming them
 */
public record Schemas(
    Set<String> names,
    StartValues startValues,
    Overloads overloads,
    boolean functionsSet,
    CustomParameters parametersSet,
    CalledUnseen calledUnseen) {
  /** By what a function may be called that no statement names. */
  public enum CalledUnseen {
    NEVER,
    /** Triggers, defaults, constraints, rules. */
    BY_WRITES,
    /** Views, policies, operators, casts: any statement may call them. */
    BY_ALL
  }

  /** Nothing set, nothing known. */
  public static final Schemas NONE =
      new Schemas(
          Set.of(),
          StartValues.NONE,
          Overloads.NONE,
          true,
          CustomParameters.NONE,
          CalledUnseen.BY_ALL);

  public Schemas {
    names = Set.copyOf(names);
  }

  /** Functions may set what outlasts them, and anything may call them. */
  Schemas withUnreadFunctions() {
    return new Schemas(names, startValues, overloads, true, parametersSet, CalledUnseen.BY_ALL);
  }

  /** Whether a transaction may have set what no statement of it shows. */
  public boolean mayHaveSet(boolean wrote) {
    return functionsSet
        && (calledUnseen == CalledUnseen.BY_ALL
            || (wrote && calledUnseen == CalledUnseen.BY_WRITES));
  }
}
