package switchboard.insight;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What searches did not find. Component names are those on the wire.
 *
 * @param searches how many searches were looked at
 * @param unanswered how many of them gave nothing relevant, and led to nothing that was read
 * @param without_text how many of these have no text of their query, so that they are in no group
 * @param groups these by meaning, the largest group first
 * @param silent_sources sources that were asked at least ten times and had no part in any answer
 * @param slow_questions the slowest searches
 */
public record GapReport(
        int searches,
        int unanswered,
        int without_text,
        List<QuestionGroup> groups,
        List<SilentSource> silent_sources,
        List<SlowQuestion> slow_questions) {
    public GapReport {
        groups = List.copyOf(groups);
        silent_sources = List.copyOf(silent_sources);
        slow_questions = List.copyOf(slow_questions);
    }

    /**
     * Questions that mean much the same.
     *
     * @param words its most telling words, at most three
     * @param count how often they were asked
     * @param questions some of them, the most frequent one first
     * @param sources the sources that were asked
     * @param weeks how often in each week, by its Monday in UTC
     * @param best_relevance of the best hit of them all, or null if there was none
     */
    public record QuestionGroup(
            List<String> words,
            int count,
            List<String> questions,
            List<String> sources,
            Map<String, Integer> weeks,
            @Nullable Double best_relevance) {}

    /**
     * A source without a part in any answer.
     *
     * @param asked how often it was asked
     * @param failed how often it did not answer
     */
    public record SilentSource(String source, int asked, int failed) {}

    /**
     * A slow search.
     *
     * @param question its text, or null if that is not kept
     * @param slowest_source the source that took longest, or null if there was none
     */
    public record SlowQuestion(
            @Nullable String question, long ms, @Nullable String slowest_source, long source_ms) {}
}
