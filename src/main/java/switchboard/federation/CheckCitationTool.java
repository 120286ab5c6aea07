package switchboard.federation;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Citation;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.signal.Quotation;

/**
 * {@code check_citation}: tells what became of cited passages. Each document is read once, with the caller's present rights, as
 * {@code fetch_document} reads it.
 */
record CheckCitationTool(DocumentReads reads, FederationSettings settings, ComputationExecutor offLoopExecutor)
        implements ToolHandler<CheckCitationTool.Args> {
    static final String NAME = "check_citation";

    /** Maximum length of a document that is checked, in UTF-16 units. */
    static final int LONGEST_DOCUMENT = 2_000_000;

    private static final int MOST_CITATIONS = 100;
    private static final int MOST_DOCUMENTS = 50;
    private static final int AT_ONCE = 4;
    /** How many bytes one call may hash to find moved passages; a fraction of a second. */
    private static final long MOST_WORK = 128L << 20;
    /** How many bytes of cited places one call may hash. */
    private static final long MOST_AT_PLACES = 64L << 20;
    /** Time reserved for the answer. */
    private static final Duration RESERVE = Duration.ofMillis(500);

    record Args(@Nullable String text, List<JsonNode> citations) {}

    /** Component names are those on the wire. */
    record Reply(
            @Nullable String quoted,
            List<CitationVerdict> results,
            @Nullable Integer not_checked) {
        static Reply of(List<CitationVerdict> results, int more) {
            return new Reply(
                    results.stream().anyMatch(CitationVerdict::quotes) ? Quotation.NOTICE : null,
                    results,
                    more == 0 ? null : Integer.valueOf(more));
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        FederatedCaller caller = reads.caller(context);
        return offLoopExecutor.run(caller.principal(), () -> given(args)).compose(given -> checked(
                        caller, given.citations())
                .map(results -> ToolReply.ok(Reply.of(results, given.more()))));
    }

    private Future<List<CitationVerdict>> checked(FederatedCaller caller, List<CitationFinder.Given> citations) {
        CitationCheck check = new CitationCheck(caller, citations);
        return check.run().map(_ -> List.of(check.verdicts));
    }

    private static CitationFinder.AllGiven given(Args args) {
        CitationFinder.AllGiven all = CitationFinder.all(args.text(), args.citations(), MOST_CITATIONS);
        if (all.citations().isEmpty()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    args.text() == null
                            ? "Give text or citations."
                            : "The text has no citation of the form [<backend>/<source>/<document>#<start>-<end> · <hash>], as"
                                    + " ref.cite of a hit has it.");
        }
        return all;
    }

    /** The state of one call. */
    private final class CitationCheck {
        private final FederatedCaller federatedCaller;
        private final List<CitationFinder.Given> given;
        private final CitationVerdict[] verdicts;
        private final SearchWork work = new SearchWork(MOST_AT_PLACES, MOST_WORK);

        CitationCheck(FederatedCaller federatedCaller, List<CitationFinder.Given> given) {
            this.federatedCaller = federatedCaller;
            this.given = given;
            this.verdicts = new CitationVerdict[given.size()];
        }

        Future<Void> run() {
            List<List<DocumentUri>> lanes = IntStream.range(0, AT_ONCE)
                    .<List<DocumentUri>>mapToObj(_ -> new ArrayList<>())
                    .toList();
            Map<DocumentUri, List<Integer>> documents = byDocument();
            int next = 0;
            for (Map.Entry<DocumentUri, List<Integer>> document : documents.entrySet()) {
                if (next < MOST_DOCUMENTS) {
                    lanes.get(next++ % AT_ONCE).add(document.getKey());
                } else {
                    refuse(document.getValue());
                }
            }
            return Future.all(lanes.stream()
                            .map(lane -> Futures.oneByOne(
                                    lane.iterator(),
                                    document -> check(document, documents.getOrDefault(document, List.of()))))
                            .toList())
                    .mapEmpty();
        }

        private Map<DocumentUri, List<Integer>> byDocument() {
            Map<DocumentUri, List<Integer>> documents = new LinkedHashMap<>();
            for (int i = 0; i < given.size(); i++) {
                switch (given.get(i).parsed()) {
                    case Citation.Parsed.Valid(Citation citation) ->
                        documents
                                .computeIfAbsent(DocumentUri.of(citation), _ -> new ArrayList<>())
                                .add(i);
                    case Citation.Parsed.Malformed(String problem) ->
                        verdicts[i] =
                                CitationVerdict.of(given.get(i).text(), CitationVerdict.CheckError.MALFORMED, problem);
                }
            }
            return documents;
        }

        private void refuse(List<Integer> citations) {
            citations.forEach(i -> verdicts[i] = CitationVerdict.of(
                    given.get(i).text(),
                    CitationVerdict.CheckError.TOO_MUCH,
                    "One call checks citations of " + MOST_DOCUMENTS + " documents. Check this one in another call."));
        }

        private Future<?> check(DocumentUri document, List<Integer> citations) {
            Duration timeout = Collections.min(List.of(
                    settings.deadline(), federatedCaller.context().remaining().minus(RESERVE)));
            Future<BackendReply> read = timeout.isPositive()
                    ? reads.read(
                            federatedCaller,
                            document,
                            BackendRequest.ReadDocument.DocumentName.LASTING,
                            0,
                            LONGEST_DOCUMENT,
                            timeout)
                    : Future.succeededFuture(ToolReply.failed(FailureKind.TIMEOUT, "There is no time left."));
            return read.compose(reply -> reply.either(
                    BackendReply.DocumentPart.class,
                    part -> offLoopExecutor
                            .run(federatedCaller.principal(), () -> compared(document, citations, part))
                            .map(also(made -> made.forEach((i, verdict) -> verdicts[i] = verdict)))
                            .recover(thrown -> thrown instanceof ToolException refused
                                    ? unread(citations, refused.failed())
                                    : Future.failedFuture(thrown)),
                    failed -> unread(citations, failed)));
        }

        private Future<Map<Integer, CitationVerdict>> unread(List<Integer> citations, ToolReply.Failed failed) {
            citations.forEach(
                    i -> verdicts[i] = CitationVerdict.unread(given.get(i).text(), failed));
            return Future.succeededFuture(Map.of());
        }

        private Map<Integer, CitationVerdict> compared(
                DocumentUri document, List<Integer> citations, BackendReply.DocumentPart part) {
            String address = document.version(part.version()).toString();
            PassageSearch search = new PassageSearch(part.text(), work);
            Map<Integer, CitationVerdict> made = new LinkedHashMap<>();
            for (int i : citations) {
                if (given.get(i).parsed() instanceof Citation.Parsed.Valid(Citation citation)) {
                    made.put(i, CitationVerdict.of(given.get(i).text(), citation, address, part, search));
                }
            }
            return made;
        }
    }
}
