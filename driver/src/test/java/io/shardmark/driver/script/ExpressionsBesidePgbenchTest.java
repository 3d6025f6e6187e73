package io.shardmark.driver.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shardmark.driver.servers.SharedPostgres;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** pgbench computes the same expressions: its {@code debug} function prints what they are. */
final class ExpressionsBesidePgbenchTest {
  private static final Path PGBENCH = Path.of("/usr/lib/postgresql/15/bin/pgbench");
  private static final Pattern PRINTED =
      Pattern.compile("debug\\(script=0,command=(\\d+)\\): (?:(?:int|double|boolean) )?(\\S+)");
  private static final long SEED = 4711;

  private static final List<String> CHOSEN =
      List.of(
          "1 | 2 & 4",
          "1 # 3 << 2",
          "7 & 3 | 8",
          "1 + 2 * 3 - 4 / 3 % 2",
          "-7 / 2",
          "-7 % 3",
          "mod(-7, 3)",
          "- 2.5 * 3",
          "~5 + 1",
          "1 < 2 and not 3 > 4 or false",
          "not true or true",
          "not 1 = 2",
          "null and true",
          "false and null",
          "null or true",
          "true or null",
          "null = null",
          "null is null",
          "1 is not null",
          "1 isnull",
          "(null + 1) notnull",
          "1 = 1 is true",
          "true is not false",
          "case when 1 > 2 then 3 when 2.5 > 2 then 4 else 5 end",
          "case when null then 1 end",
          "case when 0 then 1 else 2 end",
          "abs(-17)",
          "abs(-1.5)",
          "least(5, 4, 3, 2.5)",
          "greatest(5, 4, 3, 2)",
          "greatest(1, null)",
          "int(5.4 + 3.8)",
          "int(2.5) + int(3.5)",
          "double(5432) / 7",
          "exp(1.0)",
          "ln(2.718281828459045)",
          "sqrt(2.0)",
          "pow(2.0, 10)",
          "power(2, 0.5)",
          "pi() * 2",
          "1e3 + .5",
          "5 / 2 * 2.0",
          "9223372036854775807 - 1",
          "-9223372036854775808",
          "hash(10, 5432)",
          "hash_fnv1a(10, 5432)",
          "hash_murmur2(-3, 9)",
          "4.7 % 3",
          "1 <> 2",
          "1 != 1.0",
          "3 >= 3.0");

  @TempDir private Path directory;

  /** Grows a random expression that pgbench accepts: truth values and numbers stay apart. */
  private static String number(SplittableRandom random, int depth) {
    if (depth == 0 || random.nextInt(5) == 0) {
      return switch (random.nextInt(4)) {
        case 0 -> Integer.toString(random.nextInt(1, 9)) + ".25";
        case 1 -> "null";
        default -> Integer.toString(random.nextInt(1, 100));
      };
    }
    String left = number(random, depth - 1);
    String right = number(random, depth - 1);
    return switch (random.nextInt(9)) {
      case 0 -> left + " + " + right;
      case 1 -> left + " - " + right;
      case 2 -> left + " * " + right;
      case 3 -> "(" + left + ") & " + right;
      case 4 -> left + " | " + right;
      case 5 -> left + " # " + right;
      case 6 -> "least(" + left + ", " + right + ")";
      case 7 -> "-(" + left + ")";
      default ->
          "case when " + truth(random, depth - 1) + " then " + left + " else " + right + " end";
    };
  }

  private static String truth(SplittableRandom random, int depth) {
    if (depth <= 0) {
      return random.nextBoolean() ? "true" : "false";
    }
    return switch (random.nextInt(6)) {
      case 0 -> truth(random, depth - 1) + " and " + truth(random, depth - 1);
      case 1 -> truth(random, depth - 1) + " or " + truth(random, depth - 1);
      case 2 -> "not " + truth(random, depth - 1);
      case 3 -> "(" + number(random, depth - 1) + ") is null";
      case 4 -> number(random, depth - 1) + " < " + number(random, depth - 1);
      default -> number(random, depth - 1) + " <> " + number(random, depth - 1);
    };
  }

  @Test
  void weComputeWhatPgbenchComputes() throws Exception {
    assumeTrue(Files.isExecutable(PGBENCH), "needs Debian's package postgresql-contrib");
    List<String> expressions = new ArrayList<>(CHOSEN);
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 300; i++) {
      expressions.add(i % 2 == 0 ? number(random, 4) : truth(random, 4));
    }
    List<String> printed = printedByPgbench(expressions);
    for (int i = 0; i < expressions.size(); i++) {
      String text = expressions.get(i);
      Value ours = ScriptFixture.evaluate(text);
      String theirs = printed.get(i);
      if (ours instanceof Value.Real real) {
        assertThat(new BigDecimal(real.text())).as(text).isEqualByComparingTo(theirs);
      } else {
        assertThat(ours.text()).as(text).isEqualTo(theirs);
      }
    }
  }

  private List<String> printedByPgbench(List<String> expressions) throws Exception {
    StringBuilder script = new StringBuilder();
    expressions.forEach(text -> script.append("\\set x debug(").append(text).append(")\n"));
    Path file = Files.writeString(directory.resolve("expressions.sql"), script + "SELECT 1;\n");
    Path out = directory.resolve("out");
    Process process =
        new ProcessBuilder(command(file))
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("pgbench ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    List<String> printed = new ArrayList<>();
    Matcher matcher = PRINTED.matcher(Files.readString(out));
    while (matcher.find()) {
      printed.add(matcher.group(2));
    }
    assertThat(printed).as("seed %d: %s", SEED, Files.readString(out)).hasSameSizeAs(expressions);
    return printed;
  }

  private static List<String> command(Path file) throws SQLException, IOException {
    String database = SharedPostgres.newDatabase();
    try (Connection connection = SharedPostgres.connect(database)) {
      String address = connection.getMetaData().getURL().replaceFirst("jdbc:", "");
      return List.of(
          PGBENCH.toString(),
          "-n",
          "-t",
          "1",
          "-f",
          file.toString(),
          address.replaceFirst("//", "//postgres:postgres@").replaceFirst("\\?.*", ""));
    }
  }
}
