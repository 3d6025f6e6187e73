package io.shardmark.proxy.dialog;

/**
 * What a lost connection still owed to the client.
 *
 * @param readies how many ReadyForQuery
 * @param errorSent the client has the ErrorResponse of the first of them already
 * @param more answers after the last of them, of messages that no Sync has followed yet
 * @param cutShort the client has the beginning of a message whose rest is lost: nothing else can be
 *     said to it
 */
public record Owed(int readies, boolean errorSent, boolean more, boolean cutShort) {}
