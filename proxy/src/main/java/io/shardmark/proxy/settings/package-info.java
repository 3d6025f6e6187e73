/**
 * What a session has set, and what a server connection is set to: values by the names of
 * parameters, and how one follows from another. Pure; knows no socket, no thread and no clock.
 */
@NullMarked
package io.shardmark.proxy.settings;

import org.jspecify.annotations.NullMarked;
