package switchboard.protocol.legacy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.auth.PrincipalId;
import switchboard.call.Json;
import switchboard.session.SavedSession;
import switchboard.session.SessionOwner;

/**
 * Sessions as lines of JSON, so that a restarted process can go on with them. Open streams, calls under way and answers that could
 * be resumed are not kept, and neither is a session that is a connection.
 */
final class SavedSessions {
    /** A session with more state than this is not kept. Its client gets 404 after a restart, and initializes again. */
    private static final int LARGEST_SESSION = 16_384;

    /** Of very many sessions, those that expire last are kept. */
    private static final int LARGEST_FILE = 32 << 20;

    /** Times are exact to this part of the idle time, so that the same sessions give the same bytes for so long. */
    private static final int STEPS_OF_IDLE_TIME = 60;

    private static final Logger LOG = LoggerFactory.getLogger(SavedSessions.class);

    private final Clock clock;
    private final ResumeLimits resume;
    private final long step;

    /**
     * Reads and writes sessions.
     *
     * @param clock the wall clock, because steady clocks begin anew with a process
     * @param idleTtl when idle sessions expire
     */
    SavedSessions(Clock clock, Duration idleTtl, ResumeLimits resume) {
        this.clock = clock;
        this.resume = resume;
        this.step = Math.max(1, idleTtl.toSeconds() / STEPS_OF_IDLE_TIME);
    }

    /** Nothing if there are no sessions. */
    byte[] write(List<SavedSession<LegacySession>> sessions) {
        Instant now = clock.instant();
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        sessions.stream()
                .filter(saved -> saved.state().streamSession() == null)
                .sorted(Comparator.<SavedSession<LegacySession>>comparingLong(saved -> -expires(saved, now))
                        .thenComparing(SavedSession::key))
                .map(saved -> Json.bytes(session(saved, now)))
                .filter(session -> session.length <= LARGEST_SESSION)
                .takeWhile(session -> file.size() + session.length < LARGEST_FILE)
                .forEach(session -> {
                    file.writeBytes(session);
                    file.write('\n');
                });
        return file.toByteArray();
    }

    /** The sessions of {@link #write} that have not expired since. One that can't be read is logged and left out. */
    List<SavedSession<LegacySession>> read(byte[] lines) {
        Instant now = clock.instant();
        return new String(lines, StandardCharsets.UTF_8)
                .lines()
                .flatMap(line -> read(line, now).stream())
                .filter(saved -> saved.remaining().isPositive())
                .toList();
    }

    private Optional<SavedSession<LegacySession>> read(String line, Instant now) {
        try {
            return Optional.of(session(Json.parse(line), now));
        } catch (JsonProcessingException | IllegalArgumentException | DateTimeException | ArithmeticException e) {
            LOG.warn(
                    "a saved session can't be read and is left out ({})",
                    e.getClass().getSimpleName());
            return Optional.empty();
        }
    }

    private ObjectNode session(SavedSession<LegacySession> saved, Instant now) {
        LegacySession state = saved.state();
        PrincipalId owner = saved.owner().identity();
        ObjectNode session = Json.object()
                .put("key", saved.key())
                .put("team", owner.team())
                .put("id", owner.id())
                .put("proof", owner.proof())
                .put("view", saved.owner().view())
                .put("created", seconds(now.minus(saved.age())))
                .put("expires", expires(saved, now));
        return SessionStateJson.write(state, session);
    }

    private SavedSession<LegacySession> session(JsonNode session, Instant now) {
        LegacySession state = SessionStateJson.read(session, resume);
        @Nullable String proof = session.path("proof").textValue();
        Duration age = Duration.between(time(session, "created"), now);
        return new SavedSession<>(
                text(session, "key"),
                new SessionOwner(
                        new PrincipalId(text(session, "team"), text(session, "id"), proof), text(session, "view")),
                state,
                age.isNegative() ? Duration.ZERO : age,
                Duration.between(now, time(session, "expires")));
    }

    private long expires(SavedSession<LegacySession> saved, Instant now) {
        return seconds(now.plus(saved.remaining()));
    }

    private long seconds(Instant time) {
        return time.getEpochSecond() / step * step;
    }

    private static Instant time(JsonNode session, String field) {
        return Instant.ofEpochSecond(session.path(field).asLong());
    }

    private static String text(JsonNode session, String field) {
        return SessionStateJson.text(session, field);
    }
}
