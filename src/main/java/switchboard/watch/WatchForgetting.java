package switchboard.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is to be forgotten of standing questions: what meets all that is given. This is also what is in a note of it.
 *
 * @param team a team
 * @param key the id of a key, or the subject of a token
 * @param document the address of a document: its news goes, and the questions stay
 * @param before questions that were asked before; with {@code document}, news that was found before. In milliseconds since 1970
 */
public record WatchForgetting(
        @Nullable String team,
        @Nullable String key,
        @Nullable String document,
        @Nullable Long before) {

    /** What is left of {@code watch}; empty if nothing is. */
    Optional<Watch> rest(Watch watch) {
        boolean concerns = (team == null || watch.owner().team().equals(team))
                && (key == null || watch.owner().id().equals(key));
        if (!concerns) {
            return Optional.of(watch);
        }
        if (document == null) {
            return old(watch.times().created()) ? Optional.empty() : Optional.of(watch);
        }
        return Optional.of(new Watch(
                watch.uri(),
                watch.owner(),
                watch.view(),
                watch.question(),
                watch.token(),
                watch.times(),
                rest(watch.answers()),
                watch.reason()));
    }

    private boolean old(long time) {
        return before == null || time < before;
    }

    private WatchAnswers rest(WatchAnswers answers) {
        List<WatchNews> news = rest(answers.news());
        List<String> known = new ArrayList<>(answers.known());
        if (news.stream().noneMatch(one -> one.address().equals(document))) {
            known.remove(document);
        }
        List<WebhookDelivery> waiting = answers.webhook().waiting().stream()
                .map(message -> message.with(rest(message.news())))
                .filter(message -> !message.news().isEmpty())
                .toList();
        return new WatchAnswers(
                known,
                answers.silent(),
                answers.unheard(),
                news,
                answers.lost(),
                answers.incomplete(),
                new WebhookState(waiting, answers.webhook().last()));
    }

    private List<WatchNews> rest(List<WatchNews> news) {
        return news.stream()
                .filter(one -> !one.address().equals(document) || !old(one.found()))
                .toList();
    }
}
