package io.shardmark.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shardmark.config.ConfigException;
import io.shardmark.proxy.Operation.OperationMode;
import org.junit.jupiter.api.Test;

final class OperationModeTest {
  @Test
  void aProxyThatDrainsIsNotPausedAndOnlyAPausedOneIsResumed() {
    assertThat(OperationMode.RUNNING.paused()).isEqualTo(OperationMode.PAUSED);
    assertThat(OperationMode.PAUSED.paused()).isEqualTo(OperationMode.PAUSED);
    assertThatThrownBy(OperationMode.DRAINING::paused)
        .isInstanceOf(ConfigException.class)
        .hasMessage("the proxy is draining");
    assertThat(OperationMode.PAUSED.resumed()).isEqualTo(OperationMode.RUNNING);
    assertThatThrownBy(OperationMode.RUNNING::resumed).hasMessage("the proxy is not paused");
    assertThatThrownBy(OperationMode.DRAINING::resumed).hasMessage("the proxy is not paused");
  }
}
