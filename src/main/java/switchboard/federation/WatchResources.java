package switchboard.federation;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Principal;
import switchboard.backend.ResourceProvider;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.watch.Watch;
import switchboard.watch.WatchNews;
import switchboard.watch.WebhookDelivery;

/** The caller's standing questions as MCP resources {@code watch://...}: nobody else's exist for it. */
record WatchResources(WatchDesk desk, FederationSettings settings, FederationBackend.Dependencies dependencies)
        implements ResourceProvider {
    private static final int PAGE = 100;
    private static final int LONGEST_NAME = 80;

    /** How many may be watched at once, by all teams together. */
    private static final int MOST_WATCHED = 100_000;

    @Override
    public Future<BackendReply.Resources> list(@Nullable String cursor, CallContext context) {
        int offset = offset(cursor);
        if (desk.book().settings().of(context.caller().team()).isEmpty()) {
            return Future.succeededFuture(new BackendReply.Resources(List.of(), null));
        }
        return desk.book().fresh().otherwiseEmpty().map(_ -> page(offset, context)); // else as of the last look
    }

    private BackendReply.Resources page(int offset, CallContext context) {
        List<Watch> own = asker(context)
                .map(asker -> desk.book().of(asker.identity()).stream()
                        .filter(watch -> desk.mayKnow(watch, context.caller()))
                        .toList())
                .orElse(List.of());
        int next = offset + PAGE;
        return new BackendReply.Resources(
                own.stream()
                        .skip(offset)
                        .limit(PAGE)
                        .map(WatchResources::described)
                        .toList(),
                next < own.size() ? String.valueOf(next) : null);
    }

    private Optional<Principal> asker(CallContext context) {
        return dependencies.calls().requester(context.callId()).map(requester -> requester.principal());
    }

    private static int offset(@Nullable String cursor) {
        if (cursor == null) {
            return 0;
        }
        if (!cursor.matches("\\d{1,6}")) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, "There is no such cursor; list from the start.");
        }
        return Integer.parseInt(cursor);
    }

    private static ObjectNode described(Watch watch) {
        String note = watch.question().note();
        String name = note == null ? watch.question().query() : note;
        return Json.object()
                .put("uri", watch.uri())
                .put("name", cut(name))
                .put("description", "News of a standing question of yours.")
                .put("mimeType", "application/json");
    }

    private static String cut(String text) {
        return text.codePointCount(0, text.length()) <= LONGEST_NAME
                ? text
                : text.substring(0, text.offsetByCodePoints(0, LONGEST_NAME));
    }

    @Override
    public Future<BackendReply.Resources> templates(@Nullable String cursor, CallContext context) {
        return Future.succeededFuture(new BackendReply.Resources(List.of(), null));
    }

    @Override
    public boolean owns(String uri) {
        return uri.startsWith(Watch.SCHEME);
    }

    @Override
    public Optional<String> resource(String uri) {
        return Optional.of(uri);
    }

    @Override
    public int watchable() {
        return MOST_WATCHED;
    }

    @Override
    public boolean watchable(String uri, Caller caller) {
        return desk.book()
                .find(uri)
                .filter(watch -> desk.mayKnow(watch, caller))
                .isPresent();
    }

    @Override
    public Future<BackendReply.Contents> read(String uri, CallContext context) {
        return desk.book().fresh().compose(_ -> readNow(uri, context));
    }

    private Future<BackendReply.Contents> readNow(String uri, CallContext context) {
        if (uri.endsWith(WatchDesk.WAITING)) {
            return waiting(uri.substring(0, uri.length() - WatchDesk.WAITING.length()), context);
        }
        Optional<Watch> own = asker(context).flatMap(asker -> desk.own(uri, asker, context));
        if (own.isEmpty()) {
            return Future.succeededFuture(new BackendReply.Contents(List.of()));
        }
        FederatedCaller asker = FederatedCaller.of(context, dependencies.calls(), dependencies.searchable());
        desk.used(own.get(), asker.principal());
        return new VisibleNews(asker, settings, dependencies)
                .of(own.get().answers().news())
                .map(news -> new BackendReply.Contents(List.of(Json.object()
                        .put("uri", uri)
                        .put("mimeType", "application/json")
                        .put("text", Json.text(Json.tree(ShownWatch.whole(own.get(), news)))))));
    }

    /** What the webhook of {@code uri} is to be told next. It does not count as used. */
    private Future<BackendReply.Contents> waiting(String uri, CallContext context) {
        Optional<Watch> own = asker(context).flatMap(asker -> desk.own(uri, asker, context));
        if (own.isEmpty()) {
            return Future.succeededFuture(new BackendReply.Contents(List.of()));
        }
        Optional<WebhookDelivery> head = own.get().answers().webhook().head();
        List<WatchNews> told = head.map(WebhookDelivery::news).orElse(List.of());
        return new VisibleNews(
                        FederatedCaller.of(context, dependencies.calls(), dependencies.searchable()),
                        settings,
                        dependencies)
                .of(told)
                .map(seen -> {
                    ObjectNode data = Json.object().put("watch", uri);
                    head.filter(message -> message.lost() > 0).ifPresent(message -> data.put("lost", message.lost()));
                    ArrayNode list = data.putArray("news");
                    seen.visible().forEach(one -> list.add(told(one)));
                    // For the gateway itself, which takes both away.
                    head.ifPresent(message -> data.put(WatchDesk.MESSAGE, message.id()));
                    ArrayNode unchecked = data.putArray(WatchDesk.UNCHECKED);
                    seen.unchecked().forEach(one -> unchecked.add(one.address()));
                    return new BackendReply.Contents(List.of(Json.object()
                            .put("uri", uri + WatchDesk.WAITING)
                            .put("mimeType", "application/json")
                            .put("text", Json.text(data))));
                });
    }

    private static ObjectNode told(WatchNews news) {
        ObjectNode told = Json.object()
                .put("address", news.address())
                .put("title", news.title())
                .put("source", news.source());
        DocumentUri.parse(news.address()).ifPresent(uri -> told.put("document", uri.document()));
        return told.put("found", Instant.ofEpochMilli(news.found()).toString());
    }

    @Override
    public Future<BackendReply.Completion> complete(
            String template, String argument, String value, CallContext context) {
        return Future.succeededFuture(new BackendReply.Completion(List.of(), 0, false));
    }
}
