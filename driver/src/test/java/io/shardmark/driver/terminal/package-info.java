/** Tests of emulated users in motion. No test judges how long something took. */
@NullMarked
package io.shardmark.driver.terminal;

import org.jspecify.annotations.NullMarked;
