package switchboard.federation;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.FilterConditions;
import switchboard.call.Json;
import switchboard.call.Lifetime;
import switchboard.call.PassageRefs;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.SpellingSuggestion;
import switchboard.call.TermStatistics;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.PooledKeywordScore;

/**
 * {@code search_everywhere}: sends one query to all sources that the caller may search, at the same time and with the
 * remaining time as limit, and merges the results. A source that is late, refuses or fails is named in the result. If all
 * answered, none has a word, and one has a similar one, the sources are asked again with that.
 */
final class SearchEverywhereTool implements ToolHandler<SearchEverywhereTool.Args> {
    static final String NAME = "search_everywhere";
    /** Time reserved for merging the results. */
    private static final Duration RESERVE = Duration.ofMillis(50);

    private final SourceDirectory directory;
    private final FederationSettings settings;
    private final ComputationExecutor offLoopExecutor;
    private final HitFusion fusion;
    private final TeamRankings rankings;

    SearchEverywhereTool(
            SourceDirectory directory,
            FederationSettings settings,
            FederationBackend.Dependencies dependencies,
            TeamRankings rankings) {
        this.rankings = rankings;
        this.directory = directory;
        this.settings = settings;
        this.offLoopExecutor = dependencies.executor();
        this.fusion = new HitFusion(
                dependencies.keywords(),
                dependencies.models(),
                settings.fusion().usual());
    }

    record Args(
            String query,
            List<String> sources,
            @Nullable ObjectNode filters,
            int limit,
            int per_document,
            double min_relevance,
            SearchEverywhereReply.Detail detail,
            SourceQuery.SearchMode mode,
            SearchChoices.@Nullable FusionName fusion,
            @Nullable ObjectNode weights,
            boolean explain,
            @Nullable Integer deadline_ms) {
        /** The same for another query. */
        Args asking(String other) {
            return new Args(
                    other,
                    sources,
                    filters,
                    limit,
                    per_document,
                    min_relevance,
                    detail,
                    mode,
                    fusion,
                    weights,
                    explain,
                    deadline_ms);
        }

        SearchChoices choices() {
            return new SearchChoices(mode, fusion, weights);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        if (args.query().isBlank()) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "query must not be empty. Say what to look for.");
        }
        FederatedSearch search = new FederatedSearch(args, directory.caller(context));
        Map<String, Future<SourceDirectory.Resolved>> listed = directory.find(
                search.federatedCaller,
                new SourceSelector(args.sources()),
                BackendRequest.FilterFields.KNOWN,
                search.deadline.remaining());
        return args.choices()
                .check(listed)
                .compose(_ -> search.all(listed.values()))
                .compose(found -> found.allAnswered() && !found.similarWords().isEmpty()
                        ? corrected(search, found)
                        : reply(search, SearchedQuery.asWritten(args.query(), found)));
    }

    private Future<ToolReply> corrected(FederatedSearch search, SourceResults found) {
        SearchedQuery first = SearchedQuery.asWritten(search.args.query(), found);
        return offLoopExecutor
                .run(search.federatedCaller.principal(), first::corrected)
                .compose(corrected -> corrected.isPresent() && search.hasTimeForAnother()
                        ? search.again(corrected.get(), found)
                                .compose(again -> reply(search, again.nobodyAnswered() ? first : again))
                        : reply(search, first));
    }

    private Future<ToolReply> reply(FederatedSearch search, SearchedQuery searched) {
        return offLoopExecutor.run(search.federatedCaller.principal(), () -> ranked(search, searched));
    }

    private Duration time(Args args, CallContext context) {
        Duration wanted = args.deadline_ms() == null ? settings.deadline() : Duration.ofMillis(args.deadline_ms());
        return Collections.min(List.of(wanted, context.remaining().minus(RESERVE)));
    }

    /** The result of a source, and what it has instead of words that it does not have. */
    private record SourceResult(SourceStatus status, RankedPassages ranked, List<SpellingSuggestion> similarWords) {}

    /** The query of a search, and its results. */
    private record SearchedQuery(String text, List<SpellingSuggestion.Correction> corrections, SourceResults results) {
        static SearchedQuery asWritten(String query, SourceResults results) {
            return new SearchedQuery(query, List.of(), results);
        }

        /** The query to ask instead; empty if there is nothing to correct. Takes some milliseconds. */
        Optional<CorrectedQuery> corrected() {
            TermStatistics known = PooledKeywordScore.statistics(text, results.texts());
            for (SourceResult result : results.given()) {
                known = known.and(result.ranked().statistics());
            }
            return CorrectedQuery.of(text, results.similarWords(), known);
        }

        boolean nobodyAnswered() {
            return results.statuses().stream().noneMatch(SourceStatus::answered);
        }
    }

    /** The results of sources, and the backends that could not list their sources. */
    private record SourceResults(List<SourceResult> given, List<SourceStatus> silent) {
        static SourceResults all(List<SourceResults> parts) {
            return new SourceResults(
                    parts.stream().flatMap(part -> part.given.stream()).toList(),
                    parts.stream().flatMap(part -> part.silent.stream()).toList());
        }

        /** Whether all sources answered that can be asked this; one that did not may have any word. */
        boolean allAnswered() {
            return statuses().stream().allMatch(status -> status.answered() || status.refused());
        }

        List<SpellingSuggestion> similarWords() {
            return given.stream()
                    .flatMap(result -> result.similarWords().stream())
                    .toList();
        }

        List<String> texts() {
            return given.stream()
                    .flatMap(result -> result.ranked().passages().stream())
                    .map(passage -> passage.title() + "\n" + passage.text() + "\n" + Json.text(passage.fields()))
                    .toList();
        }

        List<SourceStatus> statuses() {
            return Stream.concat(given.stream().map(SourceResult::status), silent.stream())
                    .toList();
        }
    }

    /** The state of one search over all sources. */
    private final class FederatedSearch {
        private final Args args;
        private final FederatedCaller federatedCaller;
        private final List<Condition> conditions;
        private final Duration time;
        private final Lifetime deadline;
        private final TeamRankings.TeamRanking ranking;
        private final Optional<TrialRanking> mixed;
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();

        FederatedSearch(Args args, FederatedCaller federatedCaller) {
            this.args = args;
            this.federatedCaller = federatedCaller;
            this.conditions = FilterConditions.of(args.filters());
            this.time = time(args, federatedCaller.context());
            this.deadline = Lifetime.within(time);
            this.ranking = rankings.of(federatedCaller.principal().team())
                    .in(settings.fusion().usual(), args.choices().fusion() != null);
            this.mixed = mixed();
        }

        /** Only searches that are logged are mixed: of others nobody would learn anything. */
        private Optional<TrialRanking> mixed() {
            Principal principal = federatedCaller.principal();
            return federatedCaller.requester().notes().areWanted()
                    ? rankings.trial(principal.team())
                            .flatMap(trial -> TrialRanking.of(trial, ranking, settings.fusion(), args, principal))
                    : Optional.empty();
        }

        /** Whether two rankings are mixed in {@code shown}; the search log is told which one has put each hit. */
        boolean notesMix(List<FusedHit> shown) {
            boolean mixes = TrialRanking.mixes(shown);
            mixed.filter(_ -> mixes)
                    .ifPresent(mix -> federatedCaller.requester().notes().interleaved(mix.noted(shown)));
            return mixes;
        }

        /** Whether the sources can be asked once more if that takes as long as before. */
        boolean hasTimeForAnother() {
            return deadline.remaining().compareTo(time.dividedBy(2)) > 0;
        }

        /** Asks those sources again that answered. */
        Future<SearchedQuery> again(CorrectedQuery corrected, SourceResults found) {
            List<Future<SourceResult>> answers = found.given().stream()
                    .map(result -> result.status().answered()
                            ? ask(result.ranked().source(), corrected.text()).map(also(this::progress))
                            : Future.succeededFuture(result))
                    .toList();
            return Future.join(answers)
                    .map(_ -> new SearchedQuery(
                            corrected.text(),
                            corrected.corrections(),
                            new SourceResults(
                                    answers.stream().map(Future::result).toList(), found.silent())));
        }

        /** Searches the sources of each backend as soon as they are known. */
        Future<SourceResults> all(Collection<Future<SourceDirectory.Resolved>> listed) {
            List<Future<SourceResults>> answers =
                    listed.stream().map(found -> found.compose(this::ask)).toList();
            return Future.join(answers)
                    .map(_ -> SourceResults.all(
                            answers.stream().map(Future::result).toList()));
        }

        /** Searches the sources of one backend. */
        Future<SourceResults> ask(SourceDirectory.Resolved found) {
            if (asked.addAndGet(found.sources().size()) > settings.maxSources()) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "There are more sources than the " + settings.maxSources()
                                + " that one search may have. Choose some with sources; list_sources names them.");
            }
            List<Future<SourceResult>> answers = found.sources().stream()
                    .map(source -> ask(source, args.query()).map(also(this::progress)))
                    .toList();
            return Future.join(answers)
                    .map(_ -> new SourceResults(
                            answers.stream().map(Future::result).toList(), found.silent()));
        }

        private Future<SourceResult> ask(SearchSource source, String query) {
            long start = System.nanoTime();
            int wanted = Math.min(SourceQuery.MAX_LIMIT, Math.max(settings.candidates(), args.limit()));
            return federatedCaller
                    .ask(
                            source.backend(),
                            new BackendRequest.SearchSource(
                                    source.about().name(),
                                    new SourceQuery(
                                            query,
                                            conditions,
                                            wanted,
                                            settings.signals().asked(args.per_document()),
                                            args.mode(),
                                            args.explain())),
                            source.caller(),
                            deadline.remaining())
                    .map(reply -> answer(source, weight(source), reply, SourceStatus.millisSince(start)));
        }

        /** What the call says counts, then what is approved for the team with what is configured. */
        private double weight(SearchSource source) {
            return args.choices()
                    .weight(
                            source,
                            ranking.weight(
                                    source.label(), settings.declared(source).weight()));
        }

        private void progress(SourceResult answer) {
            if (federatedCaller.context().wantsEvents()) {
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

    private SourceResult answer(SearchSource source, double weight, BackendReply reply, long ms) {
        FederationSettings.Declared declared = settings.declared(source);
        return reply.either(
                BackendReply.Passages.class,
                found -> new SourceResult(
                        SourceStatus.answered(source.label(), found.passages().size(), ms, found.lacking()),
                        new RankedPassages(
                                source,
                                weight,
                                found.passages().stream()
                                        .map(passage -> DeclaredFields.of(passage, declared))
                                        .toList(),
                                found.statistics()),
                        found.similarWords()),
                failed -> new SourceResult(
                        SourceStatus.failed(source.label(), failed, ms),
                        new RankedPassages(source, weight, List.of(), TermStatistics.NONE),
                        List.of()));
    }

    private ToolReply ranked(FederatedSearch search, SearchedQuery searched) {
        Args args = search.args;
        PassageRefs refs = PassageRefs.of(search.federatedCaller.context());
        List<SourceStatus> statuses = searched.results().statuses();
        if (statuses.isEmpty()) {
            return nothing(args);
        }
        if (searched.nobodyAnswered()) {
            return SearchEverywhereReply.nobody(statuses);
        }
        ScoreExplanations explanations = args.explain() ? ScoreExplanations.wanted() : ScoreExplanations.NONE;
        SignalTreatments treatments = new SignalTreatments(settings.signals());
        return ToolReply.ok(SearchEverywhereReply.of(
                args.asking(searched.text()),
                treatments,
                hits(search, searched, treatments, explanations),
                explanations,
                statuses,
                searched.corrections(),
                refs,
                search::notesMix));
    }

    /** The hits in the order in which they are shown. */
    private List<FusedHit> hits(
            FederatedSearch search,
            SearchedQuery searched,
            SignalTreatments treatments,
            ScoreExplanations explanations) {
        Args args = search.args.asking(searched.text());
        List<RankedPassages> lists = searched.results().given().stream()
                .map(result -> result.ranked().limited(args.per_document(), treatments))
                .toList();
        return search.mixed
                .map(mixed -> mixed.fuse(fusion, args, lists, treatments))
                .orElseGet(() -> fusion.by(args.choices().method(search.ranking.methods(settings.fusion())))
                        .fuse(args.query(), lists, explanations));
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
