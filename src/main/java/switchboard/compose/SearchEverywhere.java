package switchboard.compose;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import switchboard.call.BackendEvent;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.Relayed;
import switchboard.call.SourceQuery;
import switchboard.call.SourceQuery.Condition;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;

/**
 * {@code search_everywhere}: one query to every source that the asker may search, at the same time, each with what is
 * left of the deadline; one order of what came. A source that is late, refuses or fails is named in the result.
 */
final class SearchEverywhere implements ComposedTool<SearchEverywhere.Args> {
    static final String NAME = "search_everywhere";
    /** Time kept back for fusing what came. */
    private static final Duration RESERVE = Duration.ofMillis(50);

    private final SourceDirectory directory;
    private final ComposeSettings settings;
    private final Parts parts;
    private final Lane lane;
    private final HitFusion fusion;

    SearchEverywhere(SourceDirectory directory, ComposeSettings settings, Composer.Ground ground) {
        this.directory = directory;
        this.settings = settings;
        this.parts = ground.parts();
        this.lane = ground.lane();
        this.fusion = new HitFusion(ground.keywords());
    }

    record Args(
            String query,
            List<String> sources,
            @Nullable ObjectNode filters,
            int limit,
            int offset,
            EverywhereReply.Detail detail,
            @Nullable Integer budget_tokens,
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
    public Future<ToolReply> call(Args args, Asker asker, Consumer<PendingCall> pending) {
        if (args.query().isBlank()) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "query must not be empty.");
        }
        List<Condition> conditions = Conditions.of(args.filters());
        Deadline deadline = Deadline.in(time(args, asker));
        return directory
                .find(asker, new SourceChoice(args.sources()), deadline.options(), pending)
                .compose(found -> {
                    require(args, found);
                    Progress progress =
                            new Progress(asker.options(), found.sources().size());
                    List<Future<Answer>> answers = found.sources().stream()
                            .map(source -> ask(source, args, conditions, deadline, pending)
                                    .onSuccess(progress::done))
                            .toList();
                    return Future.join(answers)
                            .compose(_ -> lane.run(() -> reply(
                                    args, answers.stream().map(Future::result).toList(), found.silent())));
                });
    }

    private Duration time(Args args, Asker asker) {
        Duration wanted = args.deadline_ms() == null ? settings.deadline() : Duration.ofMillis(args.deadline_ms());
        Duration most = asker.options().timeout().minus(RESERVE);
        return wanted.compareTo(most) < 0 ? wanted : most;
    }

    private void require(Args args, SourceDirectory.Found found) {
        if (found.sources().isEmpty() && found.silent().isEmpty()) {
            throw new ToolException(
                    FailureKind.NOT_FOUND,
                    args.sources().isEmpty()
                            ? "There is nothing here that you may search. list_sources shows what there is."
                            : "No source matches " + String.join(", ", args.sources())
                                    + ". list_sources names those that you may search.");
        }
        if (found.sources().size() > settings.maxSources()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    found.sources().size() + " sources are more than the " + settings.maxSources()
                            + " that one search may have. Choose some with sources; list_sources names them.");
        }
    }

    /** What a source came to. */
    private record Answer(SourceStatus status, Ranked ranked) {}

    private Future<Answer> ask(
            Source source, Args args, List<Condition> conditions, Deadline deadline, Consumer<PendingCall> pending) {
        long start = System.nanoTime();
        int wanted = Math.min(SourceQuery.MAX_LIMIT, Math.max(settings.candidates(), args.offset() + args.limit()));
        PendingCall call = parts.send(
                source.backend(),
                new BackendRequest.SearchSource(
                        source.about().name(), new SourceQuery(args.query(), conditions, wanted)),
                source.caller(),
                deadline.options());
        pending.accept(call);
        return call.reply().map(reply -> answer(source, reply, Elapsed.ms(start)));
    }

    private Answer answer(Source source, BackendReply reply, long ms) {
        return switch (reply) {
            case BackendReply.Passages found ->
                new Answer(
                        new SourceStatus(
                                source.label(),
                                found.lacking() == null ? SourceStatus.Status.OK : SourceStatus.Status.PARTIAL,
                                found.passages().size(),
                                ms,
                                found.lacking()),
                        new Ranked(source, settings.weight(source), found.passages()));
            case ToolReply.Failed failed ->
                new Answer(
                        new SourceStatus(
                                source.label(), SourceStatus.Status.of(failed.kind()), 0, ms, failed.message()),
                        new Ranked(source, settings.weight(source), List.of()));
            case ToolReply.Ok _,
                    Relayed _,
                    BackendReply.Resources _,
                    BackendReply.Contents _,
                    BackendReply.Prompts _,
                    BackendReply.Prompt _,
                    BackendReply.Completion _,
                    BackendReply.Sources _,
                    BackendReply.DocumentPart _ ->
                throw new IllegalStateException(
                        source.backend() + " searched with " + reply.getClass().getSimpleName());
        };
    }

    private ToolReply reply(Args args, List<Answer> answers, List<SourceStatus> silent) {
        List<SourceStatus> statuses =
                new ArrayList<>(answers.stream().map(Answer::status).toList());
        statuses.addAll(silent);
        if (statuses.stream().noneMatch(SourceStatus::answered)) {
            return EverywhereReply.nobody(statuses);
        }
        List<Fused> fused =
                fusion.fuse(args.query(), answers.stream().map(Answer::ranked).toList());
        return ToolReply.ok(EverywhereReply.of(
                fused,
                statuses,
                new EverywhereReply.Wanted(args.offset(), args.limit(), args.detail(), args.budget_tokens())));
    }

    /** Tells the caller which sources are in; on the event loop that asked. */
    private static final class Progress {
        private final CallOptions options;
        private final int total;
        private final AtomicInteger done = new AtomicInteger();

        Progress(CallOptions options, int total) {
            this.options = options;
            this.total = total;
        }

        void done(Answer answer) {
            if (options.events() != null) {
                SourceStatus status = answer.status();
                options.events()
                        .accept(new BackendEvent.Progress(
                                done.incrementAndGet(),
                                (double) total,
                                status.source() + ": " + status.status().word() + ", " + status.hits() + " hits"));
            }
        }
    }
}
