/** Tests of the OS collector: exact texts, this machine, a scripted ssh and a real sshd. */
@NullMarked
package io.shardmark.driver.oscollector;

import org.jspecify.annotations.NullMarked;
