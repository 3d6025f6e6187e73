package io.shardmark.config.proxy;

import io.shardmark.config.Secret;
import java.util.Optional;

/**
 * Who may log in. Server connections for this user are opened under the same name.
 *
 * @param password clear text; empty if {@code scram} is given, or for trust
 * @param scram verifier as in pg_authid: {@code SCRAM-SHA-256$iterations:salt$stored:server}; it
 *     must be the same on all shards, since the client's own proof opens the server connections
 */
public record UserConfig(String name, Optional<Secret> password, Optional<Secret> scram) {}
