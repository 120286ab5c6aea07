package switchboard.federation;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Citation;
import switchboard.call.PassageRef;
import switchboard.call.PassageSpan;
import switchboard.call.ToolReply;
import switchboard.signal.PassageSignal;
import switchboard.signal.PassageSignals;
import switchboard.text.SurrogatePairs;

/**
 * What became of a cited passage. Component names are those on the wire.
 *
 * @param cite the citation as it was given
 * @param verdict absent if there is an error
 * @param address the present address of the document, if the caller sees it
 * @param now the citation of where the passage is now, or of what its place says now
 * @param signals marks of what its place says now
 * @param text what its place says now
 * @param detail what limits the verdict
 * @param error why there is no verdict
 * @param message what is wrong
 */
record CitationVerdict(
        String cite,
        @Nullable Verdict verdict,
        @Nullable String address,
        @Nullable String now,
        @Nullable List<PassageSignal> signals,
        @Nullable String text,
        @Nullable String detail,
        @Nullable CheckError error,
        @Nullable String message) {
    /** How much of a changed place is shown. */
    private static final int SHOWN_CHARS = 2_000;

    /** What became of it. */
    enum Verdict {
        /** It is at its place. */
        @JsonProperty("unchanged")
        UNCHANGED,
        /** It is at another place of its document. */
        @JsonProperty("moved")
        MOVED,
        /** Its document does not have it any more. */
        @JsonProperty("changed")
        CHANGED,
        /** The caller sees no such document. */
        @JsonProperty("gone_or_not_visible")
        GONE_OR_NOT_VISIBLE
    }

    /** Why there is no verdict. */
    enum CheckError {
        /** It is no citation. */
        @JsonProperty("malformed")
        MALFORMED,
        /** The engine gave no answer. */
        @JsonProperty("unavailable")
        UNAVAILABLE,
        /** The source's documents can't be read. */
        @JsonProperty("only_searched")
        ONLY_SEARCHED,
        /** There is more to do than one call may. */
        @JsonProperty("too_much")
        TOO_MUCH
    }

    /** Of a place whose text is not shown. */
    private static CitationVerdict of(
            String cite, Verdict verdict, @Nullable String address, @Nullable String now, @Nullable String detail) {
        return new CitationVerdict(cite, verdict, address, now, null, null, detail, null, null);
    }

    static CitationVerdict of(String cite, CheckError error, String message) {
        return new CitationVerdict(cite, null, null, null, null, null, null, error, message);
    }

    /** Of a document that could not be read. */
    static CitationVerdict unread(String cite, ToolReply.Failed failed) {
        if (BackendRequest.ReadDocument.ONLY_SEARCHED.equals(failed.code())) {
            return of(cite, CheckError.ONLY_SEARCHED, "Documents of this source can be searched, but not read.");
        }
        return switch (failed.kind()) {
            case NOT_FOUND, DENIED, DENIED_UPSTREAM, INVALID_ARGUMENT ->
                // The same for all of them: nobody learns from it what exists.
                of(cite, Verdict.GONE_OR_NOT_VISIBLE, null, null, null);
            case CONFLICT, UNAVAILABLE, TIMEOUT, OVERLOADED, CANCELLED, INTERNAL ->
                of(
                        cite,
                        CheckError.UNAVAILABLE,
                        "The document could not be read now ("
                                + failed.kind().name().toLowerCase(Locale.ROOT)
                                + "), so nothing is known of the passage. Try again later.");
        };
    }

    /** Of a document that was read. Takes as long as {@link PassageSearch}. */
    static CitationVerdict of(
            String cite, Citation citation, String address, BackendReply.DocumentPart part, PassageSearch search) {
        boolean whole = part.text().length() >= part.totalChars();
        boolean placed = citation.span().placed();
        if (!whole && placed && citation.span().end() > part.text().length()) {
            return of(cite, CheckError.TOO_MUCH, "The document is too long to be checked there.");
        }
        return switch (search.find(citation)) {
            case PassageSearch.FoundPlace.InPlace _ -> of(cite, Verdict.UNCHANGED, address, null, null);
            case PassageSearch.FoundPlace.Elsewhere(PassageSpan span) ->
                of(
                        cite,
                        Verdict.MOVED,
                        address,
                        citation.at(span, citation.hash()).toString(),
                        null);
            case PassageSearch.FoundPlace.NotCompared _ ->
                of(
                        cite,
                        CheckError.TOO_MUCH,
                        "The passages are too long to be compared in one call. Check this one in another call.");
            case PassageSearch.FoundPlace.Nowhere(boolean complete)
            when !placed && !(complete && whole) ->
                of(
                        cite,
                        CheckError.TOO_MUCH,
                        "The source does not say where its passages are, and one call can't search all of the document. Check"
                                + " this one in a call of its own; if that says the same, the document is too long.");
            case PassageSearch.FoundPlace.Nowhere(boolean complete) ->
                changed(cite, citation, address, part.text(), search, complete && whole);
        };
    }

    /** Whether it quotes the document. */
    boolean quotes() {
        return text != null && !text.isEmpty();
    }

    private static CitationVerdict changed(
            String cite, Citation citation, String address, String text, PassageSearch search, boolean complete) {
        PassageSpan span = citation.span();
        String detail =
                complete ? "" : "There is much to compare: not all of the document was searched for the passage.";
        if (!span.placed()) {
            detail = (detail
                            + " The source does not say where its passages are. If they are not parts of its documents, this"
                            + " one never was.")
                    .strip();
            return of(cite, Verdict.CHANGED, address, null, detail);
        }
        int start = SurrogatePairs.before(text, Math.min(span.start(), text.length()));
        int end = SurrogatePairs.after(text, Math.min(span.end(), text.length()));
        if (!search.mayShow(start, end)) {
            detail = (detail + " What its place says now is too long to be shown in this call.").strip();
            return of(cite, Verdict.CHANGED, address, null, detail);
        }
        String there = text.substring(start, end);
        return new CitationVerdict(
                cite,
                Verdict.CHANGED,
                address,
                there.isEmpty()
                        ? null
                        : citation.at(PassageSpan.between(start, end), PassageRef.sha256(there))
                                .toString(),
                new PassageSignals().add("text", there).shown(),
                SurrogatePairs.start(there, SHOWN_CHARS),
                detail.isEmpty() ? null : detail,
                null,
                null);
    }
}
