package io.shardmark.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Circles in who uses whom: sets of names of which each reaches every other (strongly connected
 * components, by Tarjan's algorithm).
 */
final class Circles {
  private final Map<String, Set<String>> uses;
  private final Map<String, Integer> indexes = new HashMap<>();
  private final Map<String, Integer> lowest = new HashMap<>();
  private final Deque<String> open = new ArrayDeque<>();
  private final List<Set<String>> found = new ArrayList<>();

  private Circles(Map<String, Set<String>> uses) {
    this.uses = uses;
  }

  /**
   * Circles of two or more, the largest first.
   *
   * @param uses each name with those that it uses
   */
  static List<Set<String>> of(Map<String, Set<String>> uses) {
    Circles search = new Circles(uses);
    for (String name : uses.keySet()) {
      if (!search.indexes.containsKey(name)) {
        search.visit(name);
      }
    }
    search.found.sort(Comparator.<Set<String>>comparingInt(Set::size).reversed());
    return search.found;
  }

  private void visit(String name) {
    int index = indexes.size();
    indexes.put(name, index);
    lowest.put(name, index);
    open.push(name);
    for (String used : uses.getOrDefault(name, Set.of())) {
      if (!indexes.containsKey(used)) {
        visit(used);
        lowest.merge(name, lowest.getOrDefault(used, index), Math::min);
      } else if (open.contains(used)) {
        lowest.merge(name, indexes.getOrDefault(used, index), Math::min);
      }
    }
    if (lowest.getOrDefault(name, index) == index) {
      Set<String> circle = new TreeSet<>();
      String member;
      do {
        member = open.pop();
        circle.add(member);
      } while (!member.equals(name));
      if (circle.size() > 1) {
        found.add(circle);
      }
    }
  }

  /** Who uses whom among the classes below a package, each named as {@code naming} says. */
  static Map<String, Set<String>> uses(
      JavaClasses classes, String below, Function<JavaClass, String> naming) {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : classes) {
      if (!isBelow(type, below)) {
        continue;
      }
      Set<String> used = uses.computeIfAbsent(naming.apply(type), unused -> new TreeSet<>());
      for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (isBelow(target, below) && !naming.apply(target).equals(naming.apply(type))) {
          used.add(naming.apply(target));
        }
      }
    }
    return uses;
  }

  private static boolean isBelow(JavaClass type, String below) {
    return type.getPackageName().equals(below) || type.getPackageName().startsWith(below + ".");
  }

  /**
   * The top-level class, or the sealed type that it is a case of: a sealed type and its cases are
   * one thing, written in several files.
   */
  static String unit(JavaClass type) {
    JavaClass top = type;
    while (top.getEnclosingClass().isPresent()) {
      top = top.getEnclosingClass().get();
    }
    Class<?> reflected = top.reflect();
    for (Class<?> parent : parents(reflected)) {
      if (parent.isSealed()) {
        return parent.getName();
      }
    }
    return top.getName();
  }

  private static List<Class<?>> parents(Class<?> type) {
    List<Class<?>> parents = new ArrayList<>(List.of(type.getInterfaces()));
    if (type.getSuperclass() != null) {
      parents.add(type.getSuperclass());
    }
    return parents;
  }
}
