package io.shardmark.proxy.session;

import io.shardmark.proxy.pool.SessionSettings;
import io.shardmark.proxy.shardmap.Schemas;
import io.shardmark.proxy.shardmap.StartValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The schemas of a session's search_path, from the SET statements that gave it. Asked for every
 * statement: it looks again only when something it depends on is another one.
 */
final class SearchPath {
  private static final Pattern VALUE =
      Pattern.compile(
          "(?is).*?\\b(?:search_path\\b\\s*(?:=|\\bto\\b|',)|set\\s+(?:session\\s+|local\\s+)?schema\\b)"
              + "\\s*(.*?)"
              // the end of a call of set_config
              + "(?:,\\s*(?:true|false)\\s*\\)\\s*)?");
  private static final Pattern ELEMENT = Pattern.compile("\"((?:[^\"]|\"\")*)\"|([^\\s,'\"();]+)");

  /** SET ROLE, SET SESSION AUTHORIZATION, set_config('role', ...): who $user is then. */
  private static final Pattern IDENTITY =
      Pattern.compile(
          "(?is).*?\\b(?:role|authorization)\\b\\s*(?:=|\\bto\\b|',)?\\s*"
              + "(?:\"((?:[^\"]|\"\")*)\"|'([^']*)'|([^\\s,'\"();]+)).*");

  /** What it is where the session has not set it. */
  private static final String OF_CONNECTIONS =
      StartValues.OF_CONNECTIONS.getOrDefault(StartValues.SEARCH_PATH, "");

  private final String user;
  private SessionSettings settings = SessionSettings.UNKNOWN;
  private List<LocalSetting> local = List.of();
  private Schemas known = Schemas.NONE;
  private List<String> schemas = List.of();

  /**
   * @param user who has logged in
   */
  SearchPath(String user) {
    this.user = user;
  }

  /**
   * Names in order, without pg_catalog, and $user only where there is such a schema.
   *
   * @param inForce of the session
   * @param inTransaction SET LOCAL, in order
   * @return the same object as before if they are the same
   */
  @SuppressWarnings("ReferenceEquality") // equal maps of schemas are the same object nearly always
  List<String> now(
      SessionSettings inForce, List<LocalSetting> inTransaction, Schemas schemasOfNow) {
    if (inForce.is(settings) && known == schemasOfNow && local.equals(inTransaction)) {
      return schemas;
    }
    settings = inForce;
    known = schemasOfNow;
    local = List.copyOf(inTransaction);
    List<String> found = of(LocalSetting.over(settings, local), user, known);
    schemas = found.equals(schemas) ? schemas : found;
    return schemas;
  }

  private static List<String> of(SessionSettings settings, String user, Schemas known) {
    String statement = settings.statements().get(StartValues.SEARCH_PATH);
    String elements = statement == null ? OF_CONNECTIONS : value(statement);
    return schemas(elements, role(settings, user), known);
  }

  /** What a statement sets search_path to. */
  private static String value(String statement) {
    Matcher value = VALUE.matcher(statement);
    if (!value.matches()) {
      return OF_CONNECTIONS;
    }
    String elements = value.group(1);
    return elements.strip().equalsIgnoreCase("default") ? OF_CONNECTIONS : elements;
  }

  private static String role(SessionSettings settings, String user) {
    String session = settings.statements().get(SessionSettings.SESSION_USER);
    String owner = session == null ? user : identity(session, user, user);
    String role = settings.statements().get(SessionSettings.ROLE);
    return role == null ? owner : identity(role, owner, owner);
  }

  private static String identity(String statement, String before, String none) {
    Matcher identity = IDENTITY.matcher(statement);
    if (!identity.matches()) {
      return before;
    }
    if (identity.group(1) != null) {
      return identity.group(1).replace("\"\"", "\"");
    }
    String name =
        identity.group(2) != null ? identity.group(2) : identity.group(3).toLowerCase(Locale.ROOT);
    return name.equals("none") || name.equals("default") ? none : name;
  }

  private static List<String> schemas(String elements, String role, Schemas known) {
    List<String> schemas = new ArrayList<>();
    Matcher element = ELEMENT.matcher(elements);
    while (element.find()) {
      String quoted = element.group(1);
      String name =
          quoted != null ? quoted.replace("\"\"", "\"") : element.group(2).toLowerCase(Locale.ROOT);
      if (!name.equals("$user")) {
        schemas.add(name);
      } else if (known.names().contains(role)) {
        schemas.add(role);
      }
    }
    schemas.remove("pg_catalog");
    return List.copyOf(schemas);
  }
}
