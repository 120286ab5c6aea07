package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.watch.Watch;
import switchboard.watch.WatchNews;

/**
 * A standing question as its asker sees it. Component names are those on the wire.
 *
 * @param status {@code active}, {@code asleep} or {@code ended}
 * @param reason why it sleeps, and what to do
 * @param last_run when it was asked last
 * @param news_count how much news there is; where {@code news} is shown, as much as it has
 * @param last_news when the newest of it was found; null for none
 * @param lost how much older news found no room
 */
record ShownWatch(
        String watch,
        String status,
        @Nullable String reason,
        String query,
        @Nullable List<String> sources,
        @Nullable ObjectNode filters,
        int limit,
        double min_relevance,
        @Nullable String note,
        String last_run,
        int news_count,
        @Nullable String last_news,
        @Nullable Long lost,
        @Nullable List<ShownNews> news) {
    /** A document that came among the first answers. */
    record ShownNews(
            String address,
            String title,
            String source,
            @Nullable Double relevance,
            int position,
            String found) {
        static ShownNews of(WatchNews news) {
            return new ShownNews(
                    news.address(), news.title(), news.source(), news.relevance(), news.position(), time(news.found()));
        }
    }

    /** {@code watch} with {@code news} of it. */
    static ShownWatch whole(Watch watch, List<WatchNews> news) {
        return of(watch, news, news.stream().map(ShownNews::of).toList());
    }

    /** {@code watch} as one of a list: how many news there are, but not which. */
    static ShownWatch brief(Watch watch) {
        return of(watch, watch.answers().news(), null);
    }

    /** {@code watch} after its end. */
    static ShownWatch ended(Watch watch) {
        ShownWatch last = of(watch, List.of(), null);
        return last.with("ended");
    }

    private ShownWatch with(String other) {
        return new ShownWatch(
                watch,
                other,
                null,
                query,
                sources,
                filters,
                limit,
                min_relevance,
                note,
                last_run,
                news_count,
                last_news,
                lost,
                news);
    }

    private static ShownWatch of(Watch watch, List<WatchNews> all, @Nullable List<ShownNews> news) {
        var question = watch.question();
        return new ShownWatch(
                watch.uri(),
                watch.reason() == null ? "active" : "asleep",
                watch.reason(),
                question.query(),
                question.sources().isEmpty() ? null : question.sources(),
                question.filters(),
                question.limit(),
                question.min_relevance(),
                question.note(),
                time(watch.times().ran()),
                all.size(),
                all.stream()
                        .map(WatchNews::found)
                        .max(Comparator.naturalOrder())
                        .map(ShownWatch::time)
                        .orElse(null),
                watch.answers().lost() == 0 ? null : watch.answers().lost(),
                news);
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).toString();
    }
}
