package switchboard.federation;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.TermStatistics;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * {@code search_everywhere}: sends one query to all sources that the caller may search, at the same time and with the
 * remaining time as limit, and merges the results. A source that is late, refuses or fails is named in the result.
 */
final class SearchEverywhere implements ToolHandler<SearchEverywhere.Args> {
    static final String NAME = "search_everywhere";
    /** Time reserved for merging the results. */
    private static final Duration RESERVE = Duration.ofMillis(50);

    private final SourceDirectory directory;
    private final FederationSettings settings;
    private final OffLoopExecutor offLoopExecutor;
    private final HitFusion fusion;

    SearchEverywhere(SourceDirectory directory, FederationSettings settings, FederationBackend.Dependencies ground) {
        this.directory = directory;
        this.settings = settings;
        this.offLoopExecutor = ground.executor();
        this.fusion = new HitFusion(ground.keywords(), ground.cosines(), settings.fusion());
    }

    record Args(
            String query,
            List<String> sources,
            @Nullable ObjectNode filters,
            int limit,
            int per_document,
            double min_relevance,
            EverywhereReply.Detail detail,
            @Nullable Integer deadline_ms) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<Args> argsType() {
        return Args.class;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.query().isBlank()) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "query must not be empty. Say what to look for.");
        }
        FederatedSearch search = new FederatedSearch(args, directory.asker(context));
        List<Future<SourceResults>> answers =
                directory
                        .find(search.federatedCaller, new SourceChoice(args.sources()), search.deadline.left())
                        .stream()
                        .map(listed -> listed.compose(search::ask))
                        .toList();
        return Future.join(answers)
                .compose(_ -> offLoopExecutor.run(
                        search.federatedCaller.principal(),
                        () -> reply(
                                args,
                                SourceResults.all(
                                        answers.stream().map(Future::result).toList()))));
    }

    private Duration time(Args args, CallContext context) {
        Duration wanted = args.deadline_ms() == null ? settings.deadline() : Duration.ofMillis(args.deadline_ms());
        Duration most = context.remaining().minus(RESERVE);
        return wanted.compareTo(most) < 0 ? wanted : most;
    }

    /** The result of a source. */
    private record SourceResult(SourceStatus status, RankedPassages ranked) {}

    /** The results of sources, and the backends that could not list their sources. */
    private record SourceResults(List<SourceResult> given, List<SourceStatus> silent) {
        static SourceResults all(List<SourceResults> parts) {
            return new SourceResults(
                    parts.stream().flatMap(part -> part.given.stream()).toList(),
                    parts.stream().flatMap(part -> part.silent.stream()).toList());
        }

        List<SourceStatus> statuses() {
            return Stream.concat(given.stream().map(SourceResult::status), silent.stream())
                    .toList();
        }
    }

    /** One search. */
    private final class FederatedSearch {
        private final Args args;
        private final FederatedCaller federatedCaller;
        private final List<Condition> conditions;
        private final Deadline deadline;
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();

        FederatedSearch(Args args, FederatedCaller federatedCaller) {
            this.args = args;
            this.federatedCaller = federatedCaller;
            this.conditions = FilterConditions.of(args.filters());
            this.deadline = Deadline.in(time(args, federatedCaller.context()));
        }

        /** Searches the sources of one backend once they are known. */
        Future<SourceResults> ask(SourceDirectory.Resolved found) {
            if (asked.addAndGet(found.sources().size()) > settings.maxSources()) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "There are more sources than the " + settings.maxSources()
                                + " that one search may have. Choose some with sources; list_sources names them.");
            }
            List<Future<SourceResult>> answers = found.sources().stream()
                    .map(source -> ask(source).map(also(this::progress)))
                    .toList();
            return Future.join(answers)
                    .map(_ -> new SourceResults(
                            answers.stream().map(Future::result).toList(), found.silent()));
        }

        private Future<SourceResult> ask(SearchSource source) {
            long start = System.nanoTime();
            int wanted = Math.min(SourceQuery.MAX_LIMIT, Math.max(settings.candidates(), args.limit()));
            return federatedCaller
                    .ask(
                            source.backend(),
                            new BackendRequest.SearchSource(
                                    source.about().name(),
                                    new SourceQuery(args.query(), conditions, wanted, args.per_document())),
                            source.caller(),
                            deadline.left())
                    .map(reply -> answer(source, reply, CallStopwatch.ms(start)));
        }

        private void progress(SourceResult answer) {
            if (federatedCaller.context().heard()) {
                SourceStatus status = answer.status();
                federatedCaller
                        .context()
                        .progress(
                                done.incrementAndGet(),
                                null,
                                status.source() + ": " + status.status().word() + ", " + status.hits() + " hits");
            }
        }
    }

    private SourceResult answer(SearchSource source, BackendReply reply, long ms) {
        FederationSettings.Declared declared = settings.declared(source);
        double weight = declared.weight();
        return BackendCallReply.either(
                reply,
                BackendReply.Passages.class,
                found -> new SourceResult(
                        new SourceStatus(
                                source.label(),
                                found.lacking() == null ? SourceStatus.Status.OK : SourceStatus.Status.PARTIAL,
                                found.passages().size(),
                                ms,
                                found.lacking()),
                        new RankedPassages(
                                source,
                                weight,
                                found.passages().stream()
                                        .map(passage -> DeclaredFields.of(passage, declared))
                                        .toList(),
                                found.statistics())),
                failed -> new SourceResult(
                        new SourceStatus(
                                source.label(), SourceStatus.Status.of(failed.kind()), 0, ms, failed.message()),
                        new RankedPassages(source, weight, List.of(), TermStatistics.NONE)));
    }

    private ToolReply reply(Args args, SourceResults answers) {
        List<SourceStatus> statuses = answers.statuses();
        if (statuses.isEmpty()) {
            return nothing(args);
        }
        if (statuses.stream().noneMatch(SourceStatus::answered)) {
            return EverywhereReply.nobody(statuses);
        }
        List<FusedHit> fusedHit = fusion.fuse(
                args.query(),
                answers.given().stream()
                        .map(result -> result.ranked().limited(args.per_document()))
                        .toList());
        return ToolReply.ok(EverywhereReply.of(args, FusedHit.limited(fusedHit, args.per_document()), statuses));
    }

    private static ToolReply nothing(Args args) {
        return ToolReply.failed(
                FailureKind.NOT_FOUND,
                args.sources().isEmpty()
                        ? "There is nothing here that you may search. list_sources shows what there is."
                        : "No source matches " + String.join(", ", args.sources())
                                + ". list_sources names those that you may search.");
    }
}
