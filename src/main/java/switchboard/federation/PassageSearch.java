package switchboard.federation;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.call.Citation;
import switchboard.call.PassageSpan;
import switchboard.text.SurrogatePairs;

/**
 * Finds a cited passage in a text: at its place, or else anywhere. A passage has no other mark than its hash, so each place is tried,
 * beginnings of lines first, then those of words, and of these the nearest first. Blocks for as long as that takes.
 */
final class PassageSearch {
    /** What hashing a place costs at least, in bytes. */
    private static final int LEAST_COST = 64;
    /** The tier of all other places. */
    private static final int LAST_TIER = 2;
    /** Of how many distances the work is counted at once. */
    private static final int STRIDE = 1_024;
    /** What the hash and the signals of a shown place cost, compared with the hash of a tried one. */
    private static final int SHOWN_COST = 4;

    private final String text;
    private final SearchWork work;
    private final MessageDigest digest = DigestUtils.getSha256Digest();
    private final byte[] bytes;
    private final int[] offsets;

    /**
     * A search in {@code text}.
     *
     * @param work how much may be done; shared by the searches of one call
     */
    PassageSearch(String text, SearchWork work) {
        this.text = text;
        this.work = work;
        this.bytes = text.getBytes(StandardCharsets.UTF_8);
        this.offsets = offsets(text);
    }

    /** Where a passage is. */
    sealed interface FoundPlace {
        /** At its place, or anywhere if that is not known. */
        record InPlace() implements FoundPlace {}

        /** Elsewhere. */
        record Elsewhere(PassageSpan span) implements FoundPlace {}

        /** Not there. {@code complete} tells whether everything was searched. */
        record Nowhere(boolean complete) implements FoundPlace {}

        /** Not known: not even its place could be compared. */
        record NotCompared() implements FoundPlace {}
    }

    FoundPlace find(Citation citation) {
        PassageSpan span = citation.span();
        if (span.placed() && span.end() <= text.length()) {
            if (!work.atPlace(cost(span.start(), span.end()))) {
                return new FoundPlace.NotCompared();
            }
            if (matches(citation, span.start())) {
                return new FoundPlace.InPlace();
            }
        }
        int last = text.length() - span.length();
        int near = span.placed() ? Math.clamp(span.start(), 0, Math.max(0, last)) : 0;
        for (int tier = 0; tier <= LAST_TIER; tier++) {
            for (int distance = 0; distance <= last; distance++) {
                if (distance % STRIDE == 0 && !work.elsewhere(2L * Math.min(STRIDE, last - distance + 1))) {
                    return new FoundPlace.Nowhere(false);
                }
                Optional<OptionalInt> tried = tried(citation, tier, near, distance, last);
                if (tried.isEmpty()) {
                    return new FoundPlace.Nowhere(false);
                }
                if (tried.get().isPresent()) {
                    return span.placed()
                            ? new FoundPlace.Elsewhere(
                                    new PassageSpan(tried.get().getAsInt(), span.length()))
                            : new FoundPlace.InPlace();
                }
            }
        }
        return new FoundPlace.Nowhere(true);
    }

    /** The start at this distance that has the passage; nothing at all if no more work may be done. */
    private Optional<OptionalInt> tried(Citation citation, int tier, int near, int distance, int last) {
        for (int start : distance == 0 ? new int[] {near} : new int[] {near - distance, near + distance}) {
            if (start >= 0 && start <= last && tier(start) == tier) {
                if (!work.elsewhere(cost(start, start + citation.span().length()))) {
                    return Optional.empty();
                }
                if (matches(citation, start)) {
                    return Optional.of(OptionalInt.of(start));
                }
            }
        }
        return Optional.of(OptionalInt.empty());
    }

    /** Whether the work allows to show what is there. */
    boolean mayShow(int start, int end) {
        return work.atPlace((long) SHOWN_COST * cost(start, end));
    }

    private int cost(int start, int end) {
        return offsets[end] - offsets[start] + LEAST_COST;
    }

    private int tier(int start) {
        if (start == 0 || text.charAt(start - 1) == '\n') {
            return 0;
        }
        boolean wordBefore = Character.isLetterOrDigit(text.charAt(start - 1));
        return start < text.length() && !wordBefore && !Character.isWhitespace(text.charAt(start)) ? 1 : LAST_TIER;
    }

    private boolean matches(Citation citation, int start) {
        int end = start + citation.span().length();
        // No passage begins or ends between the halves of a character.
        if (end > text.length()
                || SurrogatePairs.after(text, start) != start
                || SurrogatePairs.after(text, end) != end) {
            return false;
        }
        digest.update(bytes, offsets[start], offsets[end] - offsets[start]);
        return citation.names(HexFormat.of().formatHex(digest.digest()));
    }

    /** Where each UTF-16 unit begins in UTF-8; the second of a pair begins where its pair ends. */
    private static int[] offsets(String text) {
        int[] offsets = new int[text.length() + 1];
        int at = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            offsets[i] = at;
            if (c < 0x80) {
                at += 1;
            } else if (c < 0x800) {
                at += 2;
            } else if (!Character.isSurrogate(c)) {
                at += 3;
            } else if (i + 1 < text.length() && Character.isSurrogatePair(c, text.charAt(i + 1))) {
                at += 4;
                offsets[++i] = at;
            } else {
                at += 1; // a lone one is written as a question mark
            }
        }
        offsets[text.length()] = at;
        return offsets;
    }
}
