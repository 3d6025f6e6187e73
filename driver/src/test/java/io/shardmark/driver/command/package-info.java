@NullMarked
package io.shardmark.driver.command;

import org.jspecify.annotations.NullMarked;
