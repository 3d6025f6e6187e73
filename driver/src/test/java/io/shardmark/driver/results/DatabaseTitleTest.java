package io.shardmark.driver.results;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class DatabaseTitleTest {
  @Test
  void namesCitusWithItsVersionAndWorkers() {
    assertThat(
            DatabaseTitle.of(
                "postgres",
                Map.of(
                    "product", "PostgreSQL",
                    "version", "15.20 (Debian 15.20-0+deb12u1)",
                    "citus", "13.2-1",
                    "citusNodes", "2")))
        .isEqualTo("Citus 13.2 (PostgreSQL 15.20, 2 workers)");
    assertThat(DatabaseTitle.of("postgres", Map.of("product", "PostgreSQL"))).isEqualTo("postgres");
    assertThat(DatabaseTitle.of("", Map.of())).isEmpty();
  }
}
