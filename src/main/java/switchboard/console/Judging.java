package switchboard.console;

/**
 * What people say of answers, and what follows for a search.
 *
 * @param judgments the sets of teams
 * @param evaluations measures searches on sets
 */
public record Judging(JudgmentSets judgments, Evaluations evaluations) {}
