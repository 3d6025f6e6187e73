/**
 * The command line: verbs, their arguments and exit statuses. The only package that knows picocli.
 */
@NullMarked
package io.shardmark.driver.command;

import org.jspecify.annotations.NullMarked;
