package switchboard.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the webhook of a standing question is to be told, and what became of the last message.
 *
 * @param waiting at most two, of which the first is sent; the second collects what comes meanwhile
 * @param last what became of the last try; null before the first
 */
public record WebhookState(
        List<WebhookDelivery> waiting, @Nullable WebhookOutcome last) {
    private static final String END = " It was tried for a day, and is not sent again.";

    /** Nothing to tell yet. */
    public static final WebhookState NONE = new WebhookState(List.of(), null);

    /** What became of a try. */
    public enum OutcomeKind {
        /** The receiver has it. */
        DELIVERED,
        /** It is sent again. */
        RETRYING,
        /** It is not sent again. */
        FAILED,
        /** Nothing is sent to this webhook any more. */
        ENDED
    }

    /**
     * What became of a try.
     *
     * @param at when, in milliseconds since 1970
     * @param detail in plain words
     */
    public record WebhookOutcome(OutcomeKind kind, long at, String detail) {}

    public WebhookState {
        waiting = List.copyOf(waiting);
    }

    /** Whether the webhook has ended. */
    public boolean ended() {
        return last != null && last.kind() == OutcomeKind.ENDED;
    }

    /** What is sent next. */
    public Optional<WebhookDelivery> head() {
        return waiting.stream().findFirst();
    }

    /** With news that were found at {@code now}. */
    WebhookState and(List<WatchNews> fresh, long now) {
        if (fresh.isEmpty() || ended()) {
            return this;
        }
        List<WebhookDelivery> all = new ArrayList<>(waiting);
        if (!all.isEmpty() && all.getLast().tries() == 0) {
            all.add(all.removeLast().and(fresh));
        } else {
            all.add(WebhookDelivery.begin(fresh.subList(0, Math.min(fresh.size(), WatchAnswers.MOST_NEWS)), now));
        }
        return new WebhookState(all, last);
    }

    /** The first is about to be sent: nothing is added to it any more. */
    WebhookState tried(Instant now) {
        List<WebhookDelivery> all = new ArrayList<>(waiting);
        if (!all.isEmpty()) {
            all.set(0, all.getFirst().tried(now));
        }
        return new WebhookState(all, last);
    }

    /** The message {@code id} is sent again later, unless it is too old. */
    WebhookState retrying(String id, String detail, Instant now) {
        Optional<WebhookDelivery> head = head().filter(delivery -> delivery.id().equals(id));
        if (head.isEmpty()) {
            return this;
        }
        return head.get().over(now)
                ? done(id, OutcomeKind.FAILED, detail + END, now)
                : untold(head.get().untold(now), detail, now);
    }

    /** The message {@code id} was not sent, and waits for {@code pause} without counting as tried. */
    WebhookState unsent(String id, String detail, Duration pause, Instant now) {
        return head().filter(delivery -> delivery.id().equals(id))
                .map(head -> {
                    if (head.over(now)) {
                        return done(id, OutcomeKind.FAILED, detail + END, now);
                    }
                    List<WebhookDelivery> all = new ArrayList<>(waiting);
                    all.set(0, head.unsent(now.plus(pause)));
                    return new WebhookState(
                            all,
                            new WebhookOutcome(
                                    OutcomeKind.RETRYING,
                                    now.toEpochMilli(),
                                    detail + " It is tried again at " + now.plus(pause) + "."));
                })
                .orElse(this);
    }

    /** What of the message {@code id} has one of {@code addresses} is told in a later one: what an id means stays the same. */
    WebhookState without(String id, Set<String> addresses, Instant now) {
        Optional<WebhookDelivery> head = head().filter(delivery -> delivery.id().equals(id));
        List<WatchNews> later = head.stream()
                .flatMap(delivery -> delivery.news().stream())
                .filter(news -> addresses.contains(news.address()))
                .toList();
        if (later.isEmpty()) {
            return this;
        }
        List<WatchNews> rest = new ArrayList<>(head.get().news());
        rest.removeAll(later);
        List<WebhookDelivery> all = new ArrayList<>(waiting);
        all.set(0, head.get().with(rest));
        return new WebhookState(all, last).and(later, now.toEpochMilli());
    }

    /** How much news found no room in what waits. */
    public long lost() {
        return waiting.stream().mapToLong(WebhookDelivery::lost).sum();
    }

    private WebhookState untold(WebhookDelivery head, String detail, Instant now) {
        List<WebhookDelivery> all = new ArrayList<>(waiting);
        all.set(0, head);
        return new WebhookState(
                all,
                new WebhookOutcome(
                        OutcomeKind.RETRYING,
                        now.toEpochMilli(),
                        detail + " It is sent again at " + Instant.ofEpochMilli(head.next()) + "."));
    }

    /** The message {@code id} is not sent again; with {@link OutcomeKind#ENDED}, nor is any other. */
    WebhookState done(String id, OutcomeKind kind, String detail, Instant now) {
        if (head().filter(delivery -> delivery.id().equals(id)).isEmpty()) {
            return this;
        }
        return new WebhookState(
                kind == OutcomeKind.ENDED ? List.of() : waiting.subList(1, waiting.size()),
                new WebhookOutcome(kind, now.toEpochMilli(), detail));
    }
}
