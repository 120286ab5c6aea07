package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest.ReadDocument.DocumentName;
import switchboard.call.CallContext;
import switchboard.call.Citation;
import switchboard.call.FailureKind;
import switchboard.call.PassageRef;
import switchboard.call.PassageRefs;
import switchboard.call.PassageSpan;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.signal.PassageSignal;
import switchboard.signal.PassageSignals;
import switchboard.signal.Quotation;

/**
 * {@code fetch_document}: reads the document of an address that {@code search_everywhere} returned, or of a ref, if the document has
 * not changed since.
 */
record FetchDocumentTool(DocumentReads reads, ComputationExecutor offLoopExecutor)
        implements ToolHandler<FetchDocumentTool.Args> {
    static final String NAME = "fetch_document";
    /** So many UTF-16 units are hashed and marked in less than a millisecond, which event loops may take. */
    private static final int SHORT = 32_768;
    /** How many bytes may be hashed to find a passage whose place is not known. */
    private static final long MOST_WORK = 64L << 20;

    record Args(@Nullable String address, @Nullable JsonNode ref, int offset, int max_chars) {}

    /** Component names are those on the wire. */
    record Reply(
            String quoted,
            String address,
            String title,
            @Nullable String url,
            @Nullable List<PassageSignal> signals,
            String text,
            int offset,
            int total_chars,
            @Nullable Integer next_offset,
            @Nullable PassageRef ref,
            @Nullable String time) {
        static Reply of(DocumentUri address, int offset, BackendReply.DocumentPart part, PassageRefs refs) {
            int end = part.next() == null ? part.totalChars() : part.next();
            return new Reply(
                    Quotation.NOTICE,
                    address.toString(),
                    part.title(),
                    part.url(),
                    new PassageSignals()
                            .add("text", part.text())
                            .add("title", part.title())
                            .add("url", part.url())
                            .shown(),
                    part.text(),
                    offset,
                    part.totalChars(),
                    part.next(),
                    refs.ref(
                            HitRefs.document(address, part.version()),
                            PassageSpan.between(end - part.text().length(), end),
                            part.text()),
                    refs.time(!part.text().isEmpty()));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        JsonNode ref = args.ref() == null || args.ref().isNull() ? null : args.ref();
        if ((args.address() == null) == (ref == null)) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "Give address or ref, one of the two.");
        }
        return ref == null ? byAddress(String.valueOf(args.address()), args, context) : byRef(ref, args, context);
    }

    private Future<ToolReply> byAddress(String address, Args args, CallContext context) {
        DocumentUri documentUri = DocumentUri.parse(address).orElse(null);
        if (documentUri == null) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT,
                    "address must be one that search_everywhere gave, such as switchboard://vectordb/default/<id>."));
        }
        FederatedCaller caller = reads.caller(context);
        return reads.read(caller, documentUri, DocumentName.ID, args.offset(), args.max_chars(), context.remaining())
                .compose(reply -> reply.<BackendReply.DocumentPart, Future<ToolReply>>either(
                        BackendReply.DocumentPart.class,
                        part -> answered(
                                caller,
                                part,
                                () -> ToolReply.ok(
                                        Reply.of(documentUri, args.offset(), part, PassageRefs.of(context)))),
                        failed -> Future.succeededFuture(withStep(failed))));
    }

    /** Short parts do not wait behind searches. */
    private Future<ToolReply> answered(
            FederatedCaller caller, BackendReply.DocumentPart part, Supplier<ToolReply> marked) {
        return part.text().length() <= SHORT
                ? Future.succeededFuture(marked.get())
                : offLoopExecutor.run(caller.principal(), marked::get);
    }

    private Future<ToolReply> byRef(JsonNode ref, Args args, CallContext context) {
        return switch (CitationFinder.of(ref).parsed()) {
            case Citation.Parsed.Malformed(String problem) ->
                Future.succeededFuture(ToolReply.failed(
                        FailureKind.INVALID_ARGUMENT, "ref is not one that a hit had, nor its cite. " + problem));
            case Citation.Parsed.Valid(Citation citation) -> {
                FederatedCaller federatedCaller = reads.caller(context);
                yield reads.read(
                                federatedCaller,
                                DocumentUri.of(citation),
                                DocumentName.LASTING,
                                0,
                                CheckCitationTool.LONGEST_DOCUMENT,
                                context.remaining())
                        .compose(reply -> reply.<BackendReply.DocumentPart, Future<ToolReply>>either(
                                BackendReply.DocumentPart.class,
                                part -> offLoopExecutor.run(
                                        federatedCaller.principal(),
                                        () -> sameVersion(citation, ref, args, part, PassageRefs.of(context))),
                                failed -> Future.succeededFuture(withStep(failed))));
            }
        };
    }

    /** The document if it is of the ref's version, where that is known, and still has the passage there. */
    private static ToolReply sameVersion(
            Citation citation, JsonNode ref, Args args, BackendReply.DocumentPart part, PassageRefs refs) {
        DocumentUri address = DocumentUri.of(citation).version(part.version());
        if (part.next() != null) {
            return tooLong(address);
        }
        String wanted = ref.path("version").asText();
        if (!wanted.isEmpty()
                && part.version() != null
                && !part.version().version().equals(wanted)) {
            return otherVersion(address);
        }
        return switch (new PassageSearch(part.text(), work(citation)).find(citation)) {
            case PassageSearch.FoundPlace.InPlace _ -> cut(address, args, part, refs);
            case PassageSearch.FoundPlace.NotCompared _ -> tooLong(address);
            case PassageSearch.FoundPlace.Nowhere(boolean complete)
            when !complete && !citation.span().placed() -> tooLong(address);
            case PassageSearch.FoundPlace.Nowhere _, PassageSearch.FoundPlace.Elsewhere _ -> otherVersion(address);
        };
    }

    /** A passage that has a place in this version is nowhere else in it. */
    private static SearchWork work(Citation citation) {
        return new SearchWork(MOST_WORK, citation.span().placed() ? 0 : MOST_WORK);
    }

    private static ToolReply cut(DocumentUri address, Args args, BackendReply.DocumentPart part, PassageRefs refs) {
        return ToolReply.ok(Reply.of(address, args.offset(), part.cut(args.offset(), args.max_chars()), refs));
    }

    private static ToolReply otherVersion(DocumentUri address) {
        return ToolReply.failed(
                FailureKind.CONFLICT,
                "The source has another version of this document now, and does not keep earlier ones. Read the"
                        + " present one with address " + address
                        + "; check_citation tells what became of the passage.");
    }

    private static ToolReply tooLong(DocumentUri address) {
        return ToolReply.failed(
                FailureKind.INVALID_ARGUMENT,
                "The document is too long to be read by ref. Read it with address " + address + ".");
    }

    private static ToolReply withStep(ToolReply.Failed failed) {
        return failed.kind() == FailureKind.NOT_FOUND
                ? failed.withMessage(failed.message() + " search_everywhere gives the addresses.")
                : failed;
    }
}
