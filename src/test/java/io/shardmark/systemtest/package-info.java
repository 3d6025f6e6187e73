/**
 * The built {@code driver.jar} and its scripts as users run them: processes of their own, real
 * servers, real files, real signals. Needs the jar, so the module comes after {@code driver}.
 */
@NullMarked
package io.shardmark.systemtest;

import org.jspecify.annotations.NullMarked;
