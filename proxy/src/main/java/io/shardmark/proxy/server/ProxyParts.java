package io.shardmark.proxy.server;

import io.shardmark.config.proxy.ProxyConfig;
import io.shardmark.proxy.metrics.ProxyMetrics;
import io.shardmark.proxy.routing.PlanCache;
import io.shardmark.proxy.session.SessionContext;
import io.shardmark.proxy.session.login.ClientLoginConfig;
import io.shardmark.proxy.shardmap.ShardMap;
import io.shardmark.proxy.shards.ShardHosts;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * What a proxy is put together from.
 *
 * @param config the current one; a reload changes it
 * @param hosts where the shards are
 * @param map the current one
 * @param login how clients prove who they are
 * @param gate keeps clients from shards that must not be used: "", or why not; asked on event
 *     loops, does not block
 */
public record ProxyParts(
    Supplier<ProxyConfig> config,
    ShardHosts hosts,
    Supplier<ShardMap> map,
    PlanCache plans,
    ClientLoginConfig login,
    ProxyMetrics metrics,
    IntFunction<String> gate,
    SessionContext.Cluster cluster) {}
