package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ResourceProvider;
import switchboard.backend.mcp.peer.Peer;
import switchboard.backend.mcp.peer.RpcFailure;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ResourceScope;

/** The resources of a server. It gets all URIs with a scheme that it lists, and those of pages. Thread-safe. */
final class UpstreamResources implements ResourceProvider {
    /** Path segments that lead elsewhere, in any encoding. */
    private static final Pattern DETOUR =
            Pattern.compile("(^|[/\\\\:])\\.{1,2}($|[/\\\\?#])|\\\\|%(2e|2f|5c|25)", Pattern.CASE_INSENSITIVE);

    /** The scheme of the pages of MCP Apps, which a server need not list. */
    private static final String PAGES = "ui";

    private static final int LONGEST_WATCHED = 2048;

    private final KeptCalls upstream;
    private final UpstreamFailures failures;
    private final Function<Set<String>, Future<Void>> watches;
    private final int mostWatched;
    private volatile List<ObjectNode> known = List.of();
    private volatile List<ObjectNode> templates = List.of();
    private volatile Set<String> addresses = Set.of();
    private volatile Set<String> schemes = Set.of();

    UpstreamResources(
            KeptCalls upstream,
            UpstreamFailures failures,
            Function<Set<String>, Future<Void>> watches,
            int mostWatched) {
        this.upstream = upstream;
        this.failures = failures;
        this.watches = watches;
        this.mostWatched = mostWatched;
    }

    @Override
    public int watchable() {
        return mostWatched;
    }

    @Override
    public boolean watchable(String uri, Caller caller) {
        return nameable(uri) && allowed(uri, caller.scope());
    }

    @Override
    public Future<Void> watch(Set<String> uris) {
        return watches.apply(uris);
    }

    /** Whether {@code uri} is one that a client can watch. */
    static boolean nameable(String uri) {
        return !uri.isEmpty() && uri.length() <= LONGEST_WATCHED;
    }

    /** Stores the server's lists; returns whether they have changed. */
    boolean learn(List<ObjectNode> listed, List<ObjectNode> listedTemplates) {
        boolean changed = !known.equals(listed) || !templates.equals(listedTemplates);
        Set<String> found = new HashSet<>();
        listed.forEach(resource -> found.add(resource.path("uri").asText()));
        listedTemplates.forEach(
                template -> found.add(template.path("uriTemplate").asText()));
        known = listed;
        templates = listedTemplates;
        addresses = Set.copyOf(found);
        schemes = found.stream().map(UpstreamResources::scheme).collect(Collectors.toUnmodifiableSet());
        return changed;
    }

    private static String scheme(String uri) {
        return uri.substring(0, Math.max(0, uri.indexOf(':')));
    }

    @Override
    public Future<BackendReply.Resources> list(@Nullable String cursor, CallContext context) {
        return page(known, "uri", cursor, context);
    }

    @Override
    public Future<BackendReply.Resources> templates(@Nullable String cursor, CallContext context) {
        return page(templates, "uriTemplate", cursor, context);
    }

    private static Future<BackendReply.Resources> page(
            List<ObjectNode> all, String address, @Nullable String cursor, CallContext context) {
        ResourceScope scope = context.caller().scope();
        ListSlice slice = ListSlice.of(
                scope.unrestricted()
                        ? all
                        : all.stream()
                                .filter(entry -> allowed(entry.path(address).asText(), scope))
                                .toList(),
                cursor);
        return Future.succeededFuture(new BackendReply.Resources(slice.entries(), slice.next()));
    }

    /**
     * Whether {@code uri} is in scope. Grants and views name resources by URI, so a URI that a server may read as
     * another one is not allowed.
     */
    private static boolean allowed(String uri, ResourceScope scope) {
        return scope.unrestricted() || (scope.allows(uri) && !ambiguous(uri));
    }

    @Override
    public Set<String> listed() {
        return addresses;
    }

    @Override
    public Optional<String> resource(String uri) {
        return Optional.of(uri);
    }

    @Override
    public boolean owns(String uri) {
        return schemes.contains(scheme(uri)) || scheme(uri).equals(PAGES);
    }

    @Override
    public Future<? extends BackendReply> read(String uri, CallContext context) {
        return allowed(uri, context.caller().scope())
                ? fetch(uri, context)
                : Future.succeededFuture(new BackendReply.Contents(List.of()));
    }

    /** Whether a server may read {@code uri} as another one. */
    static boolean ambiguous(String uri) {
        return DETOUR.matcher(uri).find();
    }

    /** Reads a resource whatever the caller's grants for URIs are. */
    Future<? extends BackendReply> fetch(String uri, CallContext context) {
        return upstream.run("resources/read", context, (peer, asked) -> {
                    ObjectNode params = Json.object().put("uri", uri);
                    UpstreamTools.answers(peer, asked, params);
                    return peer.request(Peer.Request.reading("resources/read", params), asked)
                            .map(result -> UpstreamTools.incomplete(peer, result)
                                    ? UpstreamTools.needed(result)
                                    : contents(result));
                })
                .recover(failure -> Future.succeededFuture(
                        unknown(failure) ? new BackendReply.Contents(List.of()) : failures.of(failure, context)));
    }

    /**
     * Whether a failure means that the resource does not exist. The modern error code also means wrong parameters;
     * this request has only one, which was checked.
     */
    private static boolean unknown(Throwable failure) {
        return failure instanceof RpcFailure error
                && (error.code() == RpcFailure.RESOURCE_NOT_FOUND || error.code() == RpcFailure.INVALID_PARAMS);
    }

    private static BackendReply contents(ObjectNode result) {
        List<ObjectNode> contents = new ArrayList<>();
        for (JsonNode content : result.path("contents")) {
            if (content instanceof ObjectNode object) {
                contents.add(object);
            }
        }
        return new BackendReply.Contents(contents);
    }

    @Override
    public Future<BackendReply.Completion> complete(
            String template, String argument, String value, CallContext context) {
        ObjectNode ref = Json.object().put("type", "ref/resource").put("uri", template);
        return allowed(template, context.caller().scope())
                        && templates.stream()
                                .anyMatch(entry ->
                                        entry.path("uriTemplate").asText().equals(template))
                ? UpstreamPrompts.complete(upstream, ref, argument, value, Map.of(), context)
                : Future.succeededFuture(UpstreamPrompts.NOTHING);
    }
}
