package io.shardmark.proxy.settings;

import io.shardmark.proxy.shardmap.Schemas;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The schemas in which a session's unqualified names are looked up. Asked for every statement: it
 * looks again only when something that it depends on has changed. Belongs to one session.
 */
public final class SearchPath {
  /** The parameter. */
  private static final String NAME = "search_path";

  private static final Pattern ELEMENT = Pattern.compile("\"((?:[^\"]|\"\")*)\"|([^\\s,\"]+)");

  private final String user;
  private Settings settings = Settings.NONE;
  private Schemas known = Schemas.NONE;
  private List<String> schemas = List.of();

  /**
   * @param user who has logged in
   */
  public SearchPath(String user) {
    this.user = user;
  }

  /**
   * Names in order, without pg_catalog, and $user only where there is such a schema.
   *
   * @return the same object as before if they are the same
   */
  @SuppressWarnings("ReferenceEquality") // the same objects nearly always
  public List<String> of(Settings inForce, Schemas schemasOfNow) {
    if (inForce != settings || known != schemasOfNow) {
      settings = inForce;
      known = schemasOfNow;
      List<String> found = find();
      schemas = found.equals(schemas) ? schemas : found;
    }
    return schemas;
  }

  private List<String> find() {
    List<String> found = new ArrayList<>();
    Matcher element = ELEMENT.matcher(settings.value(NAME).orElse(""));
    while (element.find()) {
      String quoted = element.group(1);
      String name =
          quoted != null ? quoted.replace("\"\"", "\"") : element.group(2).toLowerCase(Locale.ROOT);
      String schema = name.equals("$user") ? role() : name;
      if (!name.equals("$user") || known.names().contains(schema)) {
        found.add(schema);
      }
    }
    found.remove("pg_catalog");
    return List.copyOf(found);
  }

  private String role() {
    return settings
        .value(Settings.ROLE)
        .filter(role -> !role.equals("none"))
        .or(() -> settings.value(Settings.SESSION_USER))
        .orElse(user);
  }
}
