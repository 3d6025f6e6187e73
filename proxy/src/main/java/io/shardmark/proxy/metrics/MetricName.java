package io.shardmark.proxy.metrics;

import io.micrometer.core.instrument.Tags;

/**
 * How Prometheus knows a number.
 *
 * @param family without the unit and {@code _total}, which its form adds
 * @param tags that distinguish it from others of the family
 * @param help of the whole family
 * @param isGauge a present number; else what has been counted
 */
record MetricName(String family, Tags tags, String help, boolean isGauge) {
  MetricName(String name, String help) {
    this(ProxyMetrics.PREFIX + name, Tags.empty(), help, false);
  }

  MetricName(String name, String label, String value, String help) {
    this(ProxyMetrics.PREFIX + name, Tags.of(label, value), help, false);
  }

  MetricName asGauge() {
    return new MetricName(family, tags, help, true);
  }
}
