package switchboard.federation;

/**
 * What the tools over all sources know from earlier searches.
 *
 * @param gaps what was not found
 * @param rankings how teams' searches rank
 */
public record LearnedSearch(SearchGapSource gaps, TeamRankings rankings) {
    /** Nothing. */
    public static final LearnedSearch NOTHING = new LearnedSearch(SearchGapSource.NONE, TeamRankings.NONE);
}
