/** The conversation with a server against a model of PostgreSQL's protocol. */
@NullMarked
package io.shardmark.proxy.dialog;

import org.jspecify.annotations.NullMarked;
