/** Tests of properties files and of the configuration of the proxy. */
@NullMarked
package io.shardmark.config;

import org.jspecify.annotations.NullMarked;
