package switchboard.compose;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.CallContext;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.TermStatistics;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;

/**
 * {@code search_everywhere}: one query to every source that the asker may search, at the same time, each with what is
 * left of the deadline; one order of what came. A source that is late, refuses or fails is named in the result.
 */
final class SearchEverywhere implements ToolHandler<SearchEverywhere.Args> {
    static final String NAME = "search_everywhere";
    /** Time kept back for fusing what came. */
    private static final Duration RESERVE = Duration.ofMillis(50);

    private final SourceDirectory directory;
    private final ComposeSettings settings;
    private final Lane lane;
    private final HitFusion fusion;

    SearchEverywhere(SourceDirectory directory, ComposeSettings settings, FederationBackend.Ground ground) {
        this.directory = directory;
        this.settings = settings;
        this.lane = ground.lane();
        this.fusion = new HitFusion(ground.keywords(), settings.fusion());
    }

    record Args(
            String query,
            List<String> sources,
            @Nullable ObjectNode filters,
            int limit,
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
        Search search = new Search(args, directory.asker(context));
        List<Future<Answers>> answers =
                directory.find(search.asker, new SourceChoice(args.sources()), search.deadline.left()).stream()
                        .map(listed -> listed.compose(search::ask))
                        .toList();
        return Future.join(answers)
                .compose(_ -> lane.run(
                        search.asker.principal(),
                        () -> reply(
                                args,
                                Answers.all(answers.stream().map(Future::result).toList()))));
    }

    private Duration time(Args args, CallContext context) {
        Duration wanted = args.deadline_ms() == null ? settings.deadline() : Duration.ofMillis(args.deadline_ms());
        Duration most = context.remaining().minus(RESERVE);
        return wanted.compareTo(most) < 0 ? wanted : most;
    }

    /** What a source came to. */
    private record Answer(SourceStatus status, Ranked ranked) {}

    /** What sources came to, and the backends that could not say what they have. */
    private record Answers(List<Answer> given, List<SourceStatus> silent) {
        static Answers all(List<Answers> parts) {
            return new Answers(
                    parts.stream().flatMap(part -> part.given.stream()).toList(),
                    parts.stream().flatMap(part -> part.silent.stream()).toList());
        }

        List<SourceStatus> statuses() {
            return Stream.concat(given.stream().map(Answer::status), silent.stream())
                    .toList();
        }
    }

    /** One run. */
    private final class Search {
        private final Args args;
        private final Asker asker;
        private final List<Condition> conditions;
        private final Deadline deadline;
        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();

        Search(Args args, Asker asker) {
            this.args = args;
            this.asker = asker;
            this.conditions = Conditions.of(args.filters());
            this.deadline = Deadline.in(time(args, asker.context()));
        }

        /** Asks what one backend has, as soon as it has said so. */
        Future<Answers> ask(SourceDirectory.Found found) {
            if (asked.addAndGet(found.sources().size()) > settings.maxSources()) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "There are more sources than the " + settings.maxSources()
                                + " that one search may have. Choose some with sources; list_sources names them.");
            }
            List<Future<Answer>> answers = found.sources().stream()
                    .map(source -> ask(source).map(also(this::progress)))
                    .toList();
            return Future.join(answers)
                    .map(_ -> new Answers(answers.stream().map(Future::result).toList(), found.silent()));
        }

        private Future<Answer> ask(Source source) {
            long start = System.nanoTime();
            int wanted = Math.min(SourceQuery.MAX_LIMIT, Math.max(settings.candidates(), args.limit()));
            return asker.ask(
                            source.backend(),
                            new BackendRequest.SearchSource(
                                    source.about().name(), new SourceQuery(args.query(), conditions, wanted)),
                            source.caller(),
                            deadline.left())
                    .map(reply -> answer(source, reply, Elapsed.ms(start)));
        }

        private void progress(Answer answer) {
            if (asker.context().heard()) {
                SourceStatus status = answer.status();
                asker.context()
                        .progress(
                                done.incrementAndGet(),
                                null,
                                status.source() + ": " + status.status().word() + ", " + status.hits() + " hits");
            }
        }
    }

    private Answer answer(Source source, BackendReply reply, long ms) {
        ComposeSettings.Declared declared = settings.declared(source);
        double weight = declared.weight();
        return PartReply.either(
                reply,
                BackendReply.Passages.class,
                found -> new Answer(
                        new SourceStatus(
                                source.label(),
                                found.lacking() == null ? SourceStatus.Status.OK : SourceStatus.Status.PARTIAL,
                                found.passages().size(),
                                ms,
                                found.lacking()),
                        new Ranked(
                                source,
                                weight,
                                found.passages().stream()
                                        .map(passage -> DeclaredFields.of(passage, declared))
                                        .toList(),
                                found.statistics())),
                failed -> new Answer(
                        new SourceStatus(
                                source.label(), SourceStatus.Status.of(failed.kind()), 0, ms, failed.message()),
                        new Ranked(source, weight, List.of(), TermStatistics.NONE)));
    }

    private ToolReply reply(Args args, Answers answers) {
        List<SourceStatus> statuses = answers.statuses();
        if (statuses.isEmpty()) {
            return nothing(args);
        }
        if (statuses.stream().noneMatch(SourceStatus::answered)) {
            return EverywhereReply.nobody(statuses);
        }
        List<Fused> fused = fusion.fuse(
                args.query(), answers.given().stream().map(Answer::ranked).toList());
        return ToolReply.ok(EverywhereReply.of(fused, statuses, args.limit(), args.detail()));
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
