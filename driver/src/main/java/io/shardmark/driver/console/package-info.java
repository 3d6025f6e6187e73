/**
 * What a run says: BenchmarkSQL's lines, which scripts search, and more after them. Everything goes
 * through {@link io.shardmark.driver.console.RunConsole}; the texts are made by pure code next to
 * it.
 */
@NullMarked
package io.shardmark.driver.console;

import org.jspecify.annotations.NullMarked;
