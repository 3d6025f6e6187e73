/** Tests of what a run is told. */
@NullMarked
package io.shardmark.config;

import org.jspecify.annotations.NullMarked;
