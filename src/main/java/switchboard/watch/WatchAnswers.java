package switchboard.watch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What the answers to a standing question were so far.
 *
 * @param known addresses that its asker has been told of, those of the last answer first; at most {@value #MOST_KNOWN}
 * @param silent sources that did not answer when the answer was counted last
 * @param news what has come since the question was asked, newest first; at most {@value #MOST_NEWS}
 * @param lost how many older ones found no room among the news
 * @param incomplete how many answers in a row did not count, because a source did not answer that had
 */
public record WatchAnswers(List<String> known, Set<String> silent, List<WatchNews> news, long lost, int incomplete) {
    /** How many addresses are remembered, besides those of the last answer. */
    static final int MOST_KNOWN = 1000;

    /** How much news is kept. */
    public static final int MOST_NEWS = 100;

    /** So many answers without a source are no answers: what others have would only seem to be new. */
    private static final int PATIENCE = 3;

    /** Before the first answer. */
    public static final WatchAnswers NONE = new WatchAnswers(List.of(), Set.of(), List.of(), 0, 0);

    public WatchAnswers {
        known = List.copyOf(known);
        silent = Set.copyOf(silent);
        news = List.copyOf(news);
    }

    /** The first answer: nothing of it is news. */
    static WatchAnswers begin(WatchReply reply) {
        return NONE.counted(reply, false);
    }

    /** What is known after {@code reply}, an answer that came later. */
    WatchAnswers and(WatchReply reply) {
        boolean lacks = !silent.containsAll(reply.silent());
        return lacks && incomplete + 1 < PATIENCE
                ? new WatchAnswers(known, silent, news, lost, incomplete + 1)
                : counted(reply, true);
    }

    /** What has come since {@code before}. */
    WatchBook.Arrived since(WatchAnswers before) {
        long displaced = lost - before.lost;
        return new WatchBook.Arrived(news.size() - before.news.size() + displaced, displaced);
    }

    private WatchAnswers counted(WatchReply reply, boolean tell) {
        Set<String> before = new HashSet<>(known);
        Set<String> given = new LinkedHashSet<>();
        List<WatchNews> fresh = new ArrayList<>();
        for (WatchNews hit : reply.hits()) {
            if (given.add(hit.address()) && tell && !before.contains(hit.address())) {
                fresh.add(hit);
            }
        }
        for (String address : known) {
            if (given.size() < MOST_KNOWN) {
                given.add(address);
            }
        }
        fresh.addAll(news);
        int kept = Math.min(MOST_NEWS, fresh.size());
        return new WatchAnswers(
                List.copyOf(given), reply.silent(), fresh.subList(0, kept), lost + fresh.size() - kept, 0);
    }
}
