package switchboard.cluster;

/**
 * What was proposed, tried or decided about the weights of a team's searches.
 *
 * @param name of what it is, among those of the team
 * @param content JSON
 * @param revision grows with each change of any; 0 of what was not there
 */
public record TuningRow(String team, String name, String content, long revision) {}
