package io.shardmark.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shardmark.config.BenchmarkProperties;
import io.shardmark.driver.benchmark.Settings;
import io.shardmark.driver.registry.Benchmarks;
import io.shardmark.driver.tpcc.Tpcc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The parts of {@code config/kubernetes/drivers.yaml} fit together, and drivers can read it. */
final class KubernetesManifestTest {
  private static final String MANIFEST = "config/kubernetes/drivers.yaml";

  private final List<Object> documents = new ArrayList<>();
  private String text = "";

  @BeforeEach
  void read() throws IOException {
    text = Files.readString(root().resolve(MANIFEST));
    Load load = new Load(LoadSettings.builder().setAllowDuplicateKeys(false).build());
    load.loadAllFromString(text).forEach(documents::add);
  }

  private static Path root() {
    for (Path path = Path.of("").toAbsolutePath(); path != null; path = path.getParent()) {
      if (Files.isDirectory(path.resolve("config/kubernetes"))) {
        return path;
      }
    }
    throw new IllegalStateException("no config/kubernetes above " + Path.of("").toAbsolutePath());
  }

  /** What stands at a path of keys and indexes. */
  private static Object at(Object node, Object... path) {
    Object found = node;
    for (Object step : path) {
      found =
          step instanceof Integer index
              ? ((List<?>) found).get(index)
              : ((Map<?, ?>) found).get(step);
      assertThat(found).as("%s in %s", step, List.of(path)).isNotNull();
      Objects.requireNonNull(found);
    }
    return found;
  }

  private Object ofKind(String kind) {
    return documents.stream()
        .filter(document -> at(document, "kind").equals(kind))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + kind));
  }

  private static List<?> list(Object node) {
    return (List<?>) node;
  }

  private BenchmarkProperties properties(int index) {
    return BenchmarkProperties.parse(
        Benchmarks.KEYS,
        Path.of(MANIFEST),
        (String) at(ofKind("ConfigMap"), "data", "props.pg"),
        Map.of("driverIndex", Integer.toString(index), "password", "x"));
  }

  @Test
  void everyPodCanReadItsPart() {
    Object job = ofKind("Job");
    int pods = (Integer) at(job, "spec", "completions");
    assertThat(at(job, "spec", "parallelism")).isEqualTo(pods);
    assertThat(at(job, "spec", "completionMode")).isEqualTo("Indexed");
    assertThat(at(job, "spec", "backoffLimit")).isEqualTo(0);
    int terminals = 0;
    for (int index = 0; index < pods; index++) {
      BenchmarkProperties properties = properties(index);
      assertThat(properties.warnings()).isEmpty();
      assertThat(properties.runWarnings()).isEmpty();
      assertThat(properties.drivers().count()).isEqualTo(pods);
      properties.connection();
      properties.result();
      Settings share = Settings.of(new Tpcc(), properties);
      terminals += share.run().terminals();
      assertThat(share.scale().to()).isEqualTo(share.scale().size() * (index + 1) / pods);
    }
    assertThat(terminals).isEqualTo(properties(0).run().terminals());
  }

  @Test
  void allWriteWhereDriverZeroMerges() {
    Object claim = ofKind("PersistentVolumeClaim");

    assertThat(list(at(claim, "spec", "accessModes"))).isEqualTo(List.of("ReadWriteMany"));
    assertThat(at(ofKind("Job"), "spec", "template", "spec", "volumes", 1))
        .isEqualTo(
            Map.of(
                "name",
                "results",
                "persistentVolumeClaim",
                Map.of("claimName", at(claim, "metadata", "name"))));
  }

  private static Object container(Object job) {
    return at(job, "spec", "template", "spec", "containers", 0);
  }

  @Test
  void whatIsMountedIsThere() {
    Object job = ofKind("Job");
    Set<Object> volumes = new HashSet<>();
    for (Object volume : list(at(job, "spec", "template", "spec", "volumes"))) {
      volumes.add(at(volume, "name"));
    }
    Set<Object> mounted = new HashSet<>();
    list(at(container(job), "volumeMounts")).forEach(mount -> mounted.add(at(mount, "name")));
    assertThat(mounted).isEqualTo(volumes);
    assertThat(at(job, "spec", "template", "spec", "volumes", 0, "configMap", "name"))
        .isEqualTo(at(ofKind("ConfigMap"), "metadata", "name"));
    Object secret = at(container(job), "env", 0, "valueFrom", "secretKeyRef", "name");
    assertThat(text)
        .contains("kubectl create secret generic " + secret + " --from-literal=password=");
    String command = (String) at(container(job), "command", 2);
    assertThat(command).contains("/app/driver.jar run /config/props.pg password \"$DB_PASSWORD\"");
    assertThat(properties(0).result().directoryPattern()).hasValue("/results/run");
  }
}
