package switchboard.federation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.Arguments;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.watch.StandingQuestion;
import switchboard.watch.Watch;
import switchboard.watch.WatchBook;
import switchboard.watch.WatchReply;
import switchboard.watch.WatchSettings;
import switchboard.watch.WebhookRules;

/** {@code watch_search}: asks a standing question, changes, reads or ends one, or lists those of the caller. */
record WatchSearchTool(
        Optional<WatchDesk> desk, FederationSettings settings, FederationBackend.Dependencies dependencies)
        implements ToolHandler<WatchSearchTool.Args> {
    static final String NAME = "watch_search";

    record Args(
            @Nullable String query,
            List<String> sources,
            @Nullable ObjectNode filters,
            int limit,
            double min_relevance,
            @Nullable String note,
            @Nullable String webhook,
            @Nullable String watch,
            boolean end) {
        private boolean describes() {
            return !sources.isEmpty() || filters != null || note != null || webhook != null;
        }

        private Optional<StandingQuestion> question() {
            return Optional.ofNullable(query)
                    .map(text -> new StandingQuestion(text, sources, filters, limit, min_relevance, note, webhook));
        }
    }

    /** Component names are those on the wire. */
    record Reply(List<ShownWatch> watches) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        FederatedCaller asker = FederatedCaller.of(context, dependencies.calls(), dependencies.searchable());
        Call call = new Call(args, asker, open(asker.principal().team()));
        return call.book.fresh().compose(_ -> call.answer());
    }

    private WatchDesk open(String team) {
        WatchDesk open = desk.filter(known -> known.book().settings().of(team).isPresent())
                .orElseThrow(() -> new ToolException(
                        FailureKind.DENIED,
                        "Standing questions are off for your team. An operator turns them on with insight.teams."
                                + (team.isEmpty() ? "\"*\"" : team) + ".watches in the configuration."));
        if (!open.book().isOpen()) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    "This process keeps no standing questions: the gateway that serves from this data folder does."
                            + " Connect to that one.");
        }
        return open;
    }

    /** One call of the tool. */
    private final class Call {
        private final Args args;
        private final FederatedCaller asker;
        private final WatchDesk desk;
        private final WatchBook book;

        Call(Args args, FederatedCaller asker, WatchDesk desk) {
            this.args = args;
            this.asker = asker;
            this.desk = desk;
            this.book = desk.book();
        }

        Future<ToolReply> answer() {
            Optional<StandingQuestion> question = args.question();
            checkWebhook();
            if (args.watch() == null) {
                if (args.end()) {
                    throw invalid("end needs watch: the URI of the question that is to end.");
                }
                if (question.isEmpty() && args.describes()) {
                    throw invalid(
                            "query is missing: what to look for. Without any argument your questions are listed.");
                }
                return question.map(this::create).orElseGet(this::list);
            }
            Watch known = desk.own(args.watch(), asker.principal(), asker.context())
                    .orElseThrow(() -> new ToolException(
                            FailureKind.NOT_FOUND,
                            "You have no standing question " + args.watch()
                                    + ". watch_search without arguments lists yours."));
            if (args.end()) {
                return end(known);
            }
            if (question.isEmpty() && args.describes()) {
                throw invalid("query is missing: a change says the whole question again.");
            }
            return question.map(other -> change(known, other)).orElseGet(() -> read(known));
        }

        private void checkWebhook() {
            if (args.webhook() != null) {
                String team = asker.principal().team();
                WebhookRules rules = book.settings()
                        .of(team)
                        .flatMap(WatchSettings.TeamWatches::webhooks)
                        .orElseThrow(() -> new ToolException(
                                FailureKind.DENIED,
                                "webhook is off for your team. An operator turns it on with " + WatchDesk.webhooks(team)
                                        + " in the configuration; or leave webhook out, and read the news."));
                rules.problem(args.webhook(), WatchDesk.webhooks(team)).ifPresent(problem -> {
                    throw invalid(problem);
                });
            }
        }

        /** What could never be asked again would only seem to be watched. */
        private void checkSearch() {
            if (asker.requester()
                    .caller(dependencies.policy(), FederationBackend.ID, SearchEverywhereTool.NAME)
                    .isEmpty()) {
                throw new ToolException(
                        FailureKind.DENIED,
                        "A standing question is asked with search_everywhere, which you may not use here. Ask in a view"
                                + " with that tool; an operator can change views and grants.");
            }
        }

        private static ToolException invalid(String message) {
            return new ToolException(FailureKind.INVALID_ARGUMENT, message);
        }

        private Future<ToolReply> list() {
            return reply(book.of(asker.principal().identity()).stream()
                    .filter(watch -> desk.mayKnow(watch, asker.context().caller()))
                    .map(ShownWatch::brief)
                    .toList());
        }

        private static Future<ToolReply> reply(List<ShownWatch> watches) {
            return Future.succeededFuture(ToolReply.ok(new Reply(watches)));
        }

        private Future<ToolReply> read(Watch known) {
            desk.used(known, asker.principal());
            return new VisibleNews(asker, settings, dependencies)
                    .of(known.answers().news())
                    .compose(news -> reply(List.of(ShownWatch.whole(known, news))));
        }

        private Future<ToolReply> end(Watch known) {
            return book.end(known.uri()).compose(_ -> {
                desk.listed(known);
                return reply(List.of(ShownWatch.ended(known)));
            });
        }

        private Future<ToolReply> create(StandingQuestion question) {
            String team = asker.principal().team();
            if (!asker.context().caller().scope().allows(Watch.SCHEME)) {
                throw new ToolException(
                        FailureKind.DENIED,
                        "Your grants or your view name some resources of " + FederationBackend.ID
                                + " only, and standing questions are not among them. An operator adds "
                                + Watch.SCHEME + "* there.");
            }
            if (book.full(team)) {
                return Future.succeededFuture(full(team));
            }
            return asked(question, reply -> {
                Instant now = desk.clock().instant();
                Watch begun =
                        Watch.begin(asker.principal(), asker.view().name(), question, WatchReply.of(reply, now), now);
                return book.add(begun).compose(added -> {
                    added.ifPresent(desk::begun);
                    return added.isPresent()
                            ? reply(List.of(ShownWatch.whole(begun, VisibleNews.SeenNews.NONE)))
                            : Future.succeededFuture(full(team));
                });
            });
        }

        private ToolReply full(String team) {
            int most = book.settings().of(team).orElseThrow().most();
            return ToolReply.failed(
                    FailureKind.CONFLICT,
                    "Your team has " + most + " standing questions, which is all that insight.teams."
                            + (team.isEmpty() ? "\"*\"" : team)
                            + ".watches.most allows. End one: watch_search with watch and end: true. Without arguments"
                            + " it lists yours.");
        }

        private Future<ToolReply> change(Watch known, StandingQuestion question) {
            return asked(question, reply -> {
                Instant now = desk.clock().instant();
                return book.change(
                                known.uri(),
                                before -> before.asking(
                                        asker.principal(),
                                        asker.view().name(),
                                        question,
                                        WatchReply.of(reply, now),
                                        now))
                        .compose(changed -> {
                            changed.ifPresent(desk::begun);
                            return reply(changed.stream()
                                    .map(watch -> ShownWatch.whole(watch, VisibleNews.SeenNews.NONE))
                                    .toList());
                        });
            });
        }

        /** Asks {@code question} once, for its caller: what is there now is no news. One that can't be asked is refused. */
        private Future<ToolReply> asked(StandingQuestion question, Function<JsonNode, Future<ToolReply>> use) {
            checkSearch();
            return asker.ask(
                            FederationBackend.ID,
                            new BackendRequest.CallTool(SearchEverywhereTool.NAME, Arguments.of(question.search())),
                            asker.context().caller(),
                            asker.context().remaining())
                    .compose(reply -> reply.<ToolReply.Ok, Future<ToolReply>>either(
                            ToolReply.Ok.class,
                            found -> use.apply(Objects.requireNonNullElseGet(found.structured(), Json::object)),
                            Future::succeededFuture));
        }
    }
}
