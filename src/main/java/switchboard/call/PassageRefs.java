package switchboard.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the refs of one answer. Ten passages of 2 KB take about 0.05 ms, a third of it to hash them, so event loops may do it.
 *
 * @param detail what they say
 * @param time when the passages are given
 */
public record PassageRefs(RefDetail detail, Instant time) {
    /** A longer one costs more than a passage is worth; names that long are percent-encoded texts. */
    private static final int LONGEST_CITE = 2_000;

    /** The refs of an answer that is given now to the client of {@code context}. */
    public static PassageRefs of(CallContext context) {
        return new PassageRefs(context.client().refs(), Instant.now());
    }

    /**
     * A ref of the passage {@code cited}; null if none is wanted, the passage is empty, or its cite would have over 2,000 characters.
     */
    public @Nullable PassageRef ref(CitedDocument document, PassageSpan span, String cited) {
        if (detail == RefDetail.NONE || cited.isEmpty()) {
            return null;
        }
        Citation citation = document.cite(span, cited);
        return citation.toString().length() > LONGEST_CITE
                ? null
                : PassageRef.full(citation, document.version(), shownTime()).with(detail);
    }

    /**
     * A document whose passages are cited.
     *
     * @param backend id of its backend
     * @param source its source
     * @param name the name that all versions have
     * @param version tells the present one from others; null if the source tells none apart
     */
    public record CitedDocument(
            String backend,
            String source,
            String name,
            @Nullable String version) {
        Citation cite(PassageSpan span, String cited) {
            return new Citation(backend, source, name, span, PassageRef.sha256(cited));
        }
    }

    /** The time as answers have it: UTC, to the second, ISO 8601. */
    private String shownTime() {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** The time for an answer that has passages or not; null if there is nothing to say. */
    public @Nullable String time(boolean passages) {
        return passages && detail != RefDetail.NONE ? shownTime() : null;
    }

    /** Reduces the refs of {@code results}, which say all, to what is wanted, and adds the time to their {@code answer}. */
    public void reduce(Iterable<JsonNode> results, ObjectNode answer) {
        for (JsonNode result : results) {
            if (result instanceof ObjectNode object && PassageRef.in(object)) {
                switch (detail) {
                    case FULL -> answer.put(PassageRef.TIME, shownTime());
                    case CITE -> {
                        PassageRef.retain(object, PassageRef.BRIEF);
                        answer.put(PassageRef.TIME, shownTime());
                    }
                    case NONE -> PassageRef.retain(object, Set.of());
                }
            }
        }
    }
}
