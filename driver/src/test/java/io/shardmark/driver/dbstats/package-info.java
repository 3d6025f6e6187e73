/** Tests of the server's figures on real servers. */
@NullMarked
package io.shardmark.driver.dbstats;

import org.jspecify.annotations.NullMarked;
