package switchboard.watch;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * News for a webhook.
 *
 * @param id of the message, the same in each try
 * @param news what is told; nothing is added after the first try; at most {@value WatchAnswers#MOST_NEWS}
 * @param begun when the first of it was found, in milliseconds since 1970
 * @param lost how many older ones found no room
 * @param tries how often it was sent
 * @param first when it was sent first, in milliseconds since 1970; 0 before
 * @param next when it is sent again, in milliseconds since 1970
 */
public record WebhookDelivery(
        String id, List<WatchNews> news, long begun, long lost, int tries, long first, long next) {
    private static final int ID_BYTES = 18;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(4);
    private static final int GROWTH = 4;
    private static final Duration LONGEST = Duration.ofHours(24);

    public WebhookDelivery {
        news = List.copyOf(news);
    }

    static WebhookDelivery begin(List<WatchNews> news, long now) {
        byte[] id = new byte[ID_BYTES];
        RANDOM.nextBytes(id);
        return new WebhookDelivery(
                "msg_" + Base64.getUrlEncoder().withoutPadding().encodeToString(id), news, now, 0, 0, 0, now);
    }

    /** The same with newer news, before it was sent. */
    WebhookDelivery and(List<WatchNews> fresh) {
        List<WatchNews> all = new ArrayList<>(fresh);
        all.addAll(news);
        int kept = Math.min(all.size(), WatchAnswers.MOST_NEWS);
        return new WebhookDelivery(id, all.subList(0, kept), begun, lost + all.size() - kept, tries, first, next);
    }

    /** It is about to be sent; it is sent again after a pause unless something is known of it. */
    WebhookDelivery tried(Instant now) {
        return new WebhookDelivery(
                id, news, begun, lost, tries + 1, tries == 0 ? now.toEpochMilli() : first, next(now, pause(tries)));
    }

    /** It could not be sent: the pause begins now. */
    WebhookDelivery untold(Instant now) {
        return new WebhookDelivery(id, news, begun, lost, tries, first, next(now, pause(tries - 1)));
    }

    /** It was not sent after all: it does not count as tried, and more may be added if it never was. */
    WebhookDelivery unsent(Instant again) {
        return new WebhookDelivery(id, news, begun, lost, tries - 1, tries == 1 ? 0 : first, again.toEpochMilli());
    }

    /** The same with other news. */
    WebhookDelivery with(List<WatchNews> others) {
        return new WebhookDelivery(id, others, begun, lost, tries, first, next);
    }

    private long next(Instant now, Duration pause) {
        return Math.max(now.toEpochMilli() + 1, Math.min(now.plus(pause).toEpochMilli(), end(now)));
    }

    /** After this it is not sent again. */
    private long end(Instant now) {
        return (tries == 0 ? now.toEpochMilli() : first) + LONGEST.toMillis();
    }

    /** Whether it is not sent again after {@code now}. */
    boolean over(Instant now) {
        return tries > 0 && now.toEpochMilli() >= end(now);
    }

    private static Duration pause(int before) {
        Duration pause = FIRST_PAUSE;
        for (int i = 0; i < before && pause.compareTo(LONGEST_PAUSE) < 0; i++) {
            pause = pause.multipliedBy(GROWTH);
        }
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
}
