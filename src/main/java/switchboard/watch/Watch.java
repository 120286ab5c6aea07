package switchboard.watch;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.auth.PrincipalId;

/**
 * A standing question. Immutable; this is also what is in its file.
 *
 * @param uri its address, {@code watch://} with a random name: who does not know it learns nothing of it
 * @param owner who asked, and nobody else knows of it
 * @param view the name of the view in which it is asked
 * @param token the rights of its asker's last access token; null for a key
 * @param reason why it sleeps; null while it is active
 */
public record Watch(
        String uri,
        PrincipalId owner,
        String view,
        StandingQuestion question,
        @Nullable LastToken token,
        WatchTimes times,
        WatchAnswers answers,
        @Nullable String reason) {
    /** How the URIs begin. */
    public static final String SCHEME = "watch://";

    private static final int NAME_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    /** How exactly it is remembered when its asker has used it, and with a token, which counts for a time. */
    private static final Duration USE = Duration.ofMinutes(5);

    private static final Duration TOKEN_USE = Duration.ofSeconds(5);

    /** A file may lack something. */
    public Watch {
        Objects.requireNonNull(uri, "uri");
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(view, "view");
        Objects.requireNonNull(question, "question");
        Objects.requireNonNull(times, "times");
        Objects.requireNonNull(answers, "answers");
    }

    /**
     * Times in milliseconds since 1970.
     *
     * @param created when it was asked first
     * @param used when its asker has read or changed it last
     * @param ran when it was asked last
     */
    public record WatchTimes(long created, long used, long ran) {}

    /** A question of {@code asker} that was answered for the first time at {@code now}. */
    public static Watch begin(Principal asker, String view, StandingQuestion question, WatchReply reply, Instant now) {
        byte[] name = new byte[NAME_BYTES];
        RANDOM.nextBytes(name);
        long at = now.toEpochMilli();
        return new Watch(
                SCHEME + Base64.getUrlEncoder().withoutPadding().encodeToString(name),
                asker.identity(),
                view,
                question,
                LastToken.of(asker, now),
                new WatchTimes(at, at, at),
                WatchAnswers.begin(reply),
                null);
    }

    /** The same with another question, which was answered at {@code now}. Its news is gone. */
    public Watch asking(Principal asker, String other, StandingQuestion question, WatchReply reply, Instant now) {
        Watch begun = begin(asker, other, question, reply, now);
        return new Watch(
                uri,
                owner,
                other,
                question,
                begun.token,
                new WatchTimes(times.created(), begun.times.used(), begun.times.ran()),
                begun.answers,
                null);
    }

    /** Whether it asks the same as {@code other}, in the same view. */
    boolean asks(Watch other) {
        return question.equals(other.question) && view.equals(other.view);
    }

    /** The same question after {@code reply} came at {@code now}. */
    Watch answered(WatchReply reply, Instant now) {
        return new Watch(
                uri, owner, view, question, token, ranAt(now), answers.and(reply, question.webhook() != null), null);
    }

    /** Its webhook is about to be told. */
    public Watch telling(Instant now) {
        return with(answers.webhook().tried(now));
    }

    /** The message {@code id} was not sent to its webhook, and waits for {@code pause}. */
    public Watch unsent(String id, String why, Duration pause, Instant now) {
        return with(answers.webhook().unsent(id, why, pause, now));
    }

    /** What of the message {@code id} has one of {@code addresses} is told later. */
    public Watch postponing(String id, Set<String> later, Instant now) {
        return with(answers.webhook().without(id, later, now));
    }

    /** Its webhook could not be told the message {@code id}. */
    public Watch untold(String id, String why, Instant now) {
        return with(answers.webhook().retrying(id, why, now));
    }

    /** The message {@code id} is not sent again. */
    public Watch told(String id, WebhookState.OutcomeKind kind, String detail, Instant now) {
        return with(answers.webhook().done(id, kind, detail, now));
    }

    private Watch with(WebhookState state) {
        return new Watch(uri, owner, view, question, token, times, answers.with(state), reason);
    }

    /** It could not be asked as {@code asked}; the same if another question or another token has come since. */
    public Watch asleep(Watch asked, String why, Instant now) {
        return asks(asked) && Objects.equals(token, asked.token)
                ? new Watch(uri, owner, view, question, token, ranAt(now), answers, why)
                : this;
    }

    /** Its asker, who has the rights of {@code asker}, has read it. */
    public Watch usedBy(Principal asker, Instant now) {
        LastToken newest = LastToken.of(asker, now);
        Duration exact = newest == null ? USE : TOKEN_USE;
        boolean same = Instant.ofEpochMilli(times.used()).plus(exact).isAfter(now) && sameRights(newest);
        return same
                ? this
                : new Watch(
                        uri,
                        owner,
                        view,
                        question,
                        newest,
                        new WatchTimes(times.created(), now.toEpochMilli(), times.ran()),
                        answers,
                        reason);
    }

    private boolean sameRights(@Nullable LastToken other) {
        LastToken known = token;
        return known == null
                ? other == null
                : other != null
                        && known.scopes().equals(other.scopes())
                        && known.claims().equals(other.claims());
    }

    private WatchTimes ranAt(Instant now) {
        return new WatchTimes(times.created(), times.used(), now.toEpochMilli());
    }

    /** Whether {@code other} has to be written: more has changed than the time of the last run. */
    boolean worthWriting(Watch other) {
        return !new Watch(
                        other.uri,
                        other.owner,
                        other.view,
                        other.question,
                        other.token,
                        new WatchTimes(other.times.created(), other.times.used(), times.ran()),
                        other.answers,
                        other.reason)
                .equals(this);
    }

    /** The part of the URI that is its own. */
    String name() {
        return uri.substring(SCHEME.length());
    }

    /** Does not contain the question. */
    @Override
    public String toString() {
        return "Watch[owner=" + owner + ", reason=" + reason + "]";
    }
}
