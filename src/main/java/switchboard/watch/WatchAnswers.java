package switchboard.watch;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What the answers to a standing question were so far.
 *
 * @param known addresses that its asker has been told of, those of the last answer first; at most {@value #MOST_KNOWN}
 * @param silent sources that did not answer when the answer was counted last
 * @param unheard sources that have not answered since the question was asked: what they have first is no news
 * @param news what has come since the question was asked, newest first; at most {@value #MOST_NEWS}
 * @param lost how many older ones found no room among the news
 * @param incomplete how many answers in a row did not count, because a source did not answer that had
 * @param webhook what its webhook is to be told
 */
public record WatchAnswers(
        List<String> known,
        Set<String> silent,
        Set<String> unheard,
        List<WatchNews> news,
        long lost,
        int incomplete,
        WebhookState webhook) {
    /** How many addresses are remembered, besides those of the last answer. */
    static final int MOST_KNOWN = 1000;

    /** How much news is kept. */
    public static final int MOST_NEWS = 100;

    /** So many answers without a source are no answers: what others have would only seem to be new. */
    private static final int PATIENCE = 3;

    /** Before the first answer. */
    public static final WatchAnswers NONE =
            new WatchAnswers(List.of(), Set.of(), Set.of(), List.of(), 0, 0, WebhookState.NONE);

    public WatchAnswers {
        known = List.copyOf(known);
        silent = Set.copyOf(silent);
        unheard = Set.copyOf(Objects.requireNonNullElse(unheard, Set.of())); // as webhook
        news = List.copyOf(news);
        webhook = Objects.requireNonNullElse(webhook, WebhookState.NONE); // older files have none
    }

    /** The first answer: nothing of it is news. */
    static WatchAnswers begin(WatchReply reply) {
        return new WatchAnswers(List.of(), Set.of(), reply.silent(), List.of(), 0, 0, WebhookState.NONE)
                .counted(reply, false, false);
    }

    /** What is known after {@code reply}, an answer that came later. */
    WatchAnswers and(WatchReply reply) {
        return and(reply, false);
    }

    /** The same; {@code hook} says whether there is a webhook to be told. */
    WatchAnswers and(WatchReply reply, boolean hook) {
        boolean lacks = !silent.containsAll(reply.silent());
        return lacks && incomplete + 1 < PATIENCE
                ? new WatchAnswers(known, silent, unheard, news, lost, incomplete + 1, webhook)
                : counted(reply, true, hook);
    }

    /** The same with another state of the webhook. */
    WatchAnswers with(WebhookState state) {
        return new WatchAnswers(known, silent, unheard, news, lost, incomplete, state);
    }

    /** What has come since {@code before}. */
    WatchBook.Arrived since(WatchAnswers before) {
        long displaced = lost - before.lost;
        return new WatchBook.Arrived(news.size() - before.news.size() + displaced, displaced);
    }

    /** Where a backend says not even which sources it has, it is among the silent ones itself. */
    private boolean isUnheard(String source) {
        int end = source.indexOf(':');
        return unheard.contains(source) || (end > 0 && unheard.contains(source.substring(0, end)));
    }

    /** Whether it has news that {@code before} did not have. */
    boolean newerThan(WatchAnswers before) {
        return !news.isEmpty() && !before.news.contains(news.getFirst());
    }

    private WatchAnswers counted(WatchReply reply, boolean tell, boolean hook) {
        Set<String> before = new HashSet<>(known);
        Set<String> given = new LinkedHashSet<>();
        List<WatchNews> fresh = new ArrayList<>();
        for (WatchNews hit : reply.hits()) {
            boolean other = given.add(hit.address()) && !before.contains(hit.address());
            if (other && tell && !isUnheard(hit.source())) {
                fresh.add(hit);
            }
        }
        for (String address : known) {
            if (given.size() < MOST_KNOWN) {
                given.add(address);
            }
        }
        WebhookState told =
                hook && !fresh.isEmpty() ? webhook.and(fresh, fresh.getFirst().found()) : webhook;
        Set<String> still = new HashSet<>(unheard);
        still.retainAll(reply.silent());
        fresh.addAll(news);
        int kept = Math.min(MOST_NEWS, fresh.size());
        return new WatchAnswers(
                List.copyOf(given), reply.silent(), still, fresh.subList(0, kept), lost + fresh.size() - kept, 0, told);
    }
}
