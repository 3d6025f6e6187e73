/** Real database servers of the tests: private, on 127.0.0.1 and free ports, gone with the test. */
@NullMarked
package io.shardmark.driver.servers;

import org.jspecify.annotations.NullMarked;
