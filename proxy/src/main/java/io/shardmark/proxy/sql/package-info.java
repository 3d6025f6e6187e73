/**
 * From the text of a statement to facts about it: tokens, syntax, scopes of names, predicates on
 * sharding columns, calls of functions. Pure; what is read is immutable.
 */
@NullMarked
package io.shardmark.proxy.sql;

import org.jspecify.annotations.NullMarked;
