/** What differs between databases in the little SQL that TPC-C needs. Pure; any thread. */
@NullMarked
package io.shardmark.sql.dialect;

import org.jspecify.annotations.NullMarked;
