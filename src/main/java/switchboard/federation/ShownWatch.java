package switchboard.federation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import switchboard.watch.Watch;
import switchboard.watch.WatchNews;
import switchboard.watch.WebhookState;

/**
 * A standing question as its asker sees it. Component names are those on the wire.
 *
 * @param status {@code active}, {@code asleep} or {@code ended}
 * @param reason why it sleeps, and what to do
 * @param last_run when it was asked last
 * @param news_count how much news there is; where {@code news} is shown, as much as it has
 * @param last_news when the newest of it was found; null for none
 * @param webhook where news are sent to, and what became of the last message
 * @param unchecked how much more news there may be: its sources do not answer now; null for none
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
        @Nullable Integer unchecked,
        @Nullable Long lost,
        @Nullable ShownWebhook webhook,
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

    /**
     * Where news are sent to.
     *
     * @param status {@code waiting}, {@code delivered}, {@code retrying}, {@code failed} or {@code ended}
     * @param detail what became of the last message, in plain words; null before the first
     * @param waiting how much news waits to be sent
     * @param lost how much older news of it found no room; null for none
     */
    record ShownWebhook(
            String url,
            String status,
            @Nullable String detail,
            @Nullable String last_try,
            int waiting,
            @Nullable Long lost) {
        static @Nullable ShownWebhook of(Watch watch) {
            String url = watch.question().webhook();
            if (url == null) {
                return null;
            }
            WebhookState state = watch.answers().webhook();
            WebhookState.WebhookOutcome last = state.last();
            return new ShownWebhook(
                    url,
                    last == null ? "waiting" : last.kind().name().toLowerCase(Locale.ROOT),
                    last == null ? null : last.detail(),
                    last == null ? null : time(last.at()),
                    state.waiting().stream()
                            .mapToInt(message -> message.news().size())
                            .sum(),
                    state.lost() == 0 ? null : state.lost());
        }
    }

    /** {@code watch} with what of its news may be seen. */
    static ShownWatch whole(Watch watch, VisibleNews.SeenNews seen) {
        return of(watch, seen, seen.visible().stream().map(ShownNews::of).toList());
    }

    /** {@code watch} as one of a list: how many news there are, but not which. */
    static ShownWatch brief(Watch watch) {
        return of(watch, new VisibleNews.SeenNews(watch.answers().news(), List.of()), null);
    }

    /** {@code watch} after its end. */
    static ShownWatch ended(Watch watch) {
        ShownWatch last = of(watch, VisibleNews.SeenNews.NONE, null);
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
                unchecked,
                lost,
                webhook,
                news);
    }

    private static ShownWatch of(Watch watch, VisibleNews.SeenNews seen, @Nullable List<ShownNews> news) {
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
                seen.visible().size(),
                seen.visible().stream()
                        .map(WatchNews::found)
                        .max(Comparator.naturalOrder())
                        .map(ShownWatch::time)
                        .orElse(null),
                seen.unchecked().isEmpty() ? null : seen.unchecked().size(),
                watch.answers().lost() == 0 ? null : watch.answers().lost(),
                ShownWebhook.of(watch),
                news);
    }

    private static String time(long ms) {
        return Instant.ofEpochMilli(ms).toString();
    }
}
