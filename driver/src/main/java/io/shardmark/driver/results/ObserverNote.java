package io.shardmark.driver.results;

/**
 * What an observer of a run could not observe; from there on its figures have a hole.
 *
 * @param text with the name of the observer in front
 * @param afterSeconds since the session began
 */
public record ObserverNote(String text, double afterSeconds) {}
