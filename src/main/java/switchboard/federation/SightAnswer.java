package switchboard.federation;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallerTokens;
import switchboard.call.ToolReply;

/** What a backend said to a caller who asked for a document. */
sealed interface SightAnswer {
    /** Codes of refusals that do not tell whether the caller sees the document. */
    Set<String> UNTOLD_CODES = Set.of(BackendRequest.ReadDocument.ONLY_SEARCHED, CallerTokens.MISSING);

    /** Whether the caller sees the document; null if it can't be told. */
    @Nullable
    Boolean seen();

    /** It gave the document, which those may read who are in each list of {@code readers}, or everyone. */
    record Shown(@Nullable List<List<String>> readers) implements SightAnswer {
        @Override
        public Boolean seen() {
            return true;
        }
    }

    /** There is no such document for the caller. */
    record Missing() implements SightAnswer {
        @Override
        public Boolean seen() {
            return false;
        }
    }

    /** It refused the caller. */
    record Refused(String why) implements SightAnswer {
        @Override
        public Boolean seen() {
            return false;
        }
    }

    /** It was not asked, because the caller may not use the source. */
    record NotAsked() implements SightAnswer {
        @Override
        public Boolean seen() {
            return false;
        }
    }

    /** It did not say. */
    record Untold(String why) implements SightAnswer {
        @Override
        public @Nullable Boolean seen() {
            return null;
        }
    }

    /** What {@code reply} to a {@link BackendRequest.ReadDocument} tells. */
    static SightAnswer of(BackendReply reply) {
        return reply.<BackendReply.DocumentPart, SightAnswer>either(
                BackendReply.DocumentPart.class, part -> new Shown(part.readers()), SightAnswer::of);
    }

    private static SightAnswer of(ToolReply.Failed failed) {
        if (UNTOLD_CODES.contains(Objects.requireNonNullElse(failed.code(), ""))) {
            return new Untold(failed.message());
        }
        return switch (failed.kind()) {
            case NOT_FOUND -> new Missing();
            case DENIED -> new Refused(failed.message());
            case INVALID_ARGUMENT, CONFLICT, DENIED_UPSTREAM, UNAVAILABLE, TIMEOUT, OVERLOADED, CANCELLED, INTERNAL ->
                new Untold(failed.message());
        };
    }
}
