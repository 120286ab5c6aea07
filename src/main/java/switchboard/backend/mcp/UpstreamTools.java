package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.backend.RelayedTools;
import switchboard.backend.mcp.peer.Peer;
import switchboard.call.Arguments;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.CallingClient;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.TaskRequest;
import switchboard.call.ToolReply;
import switchboard.call.Verb;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;
import switchboard.catalog.ToolNames;

/** The published tools of a server, and calls of them. Thread-safe. */
final class UpstreamTools implements RelayedTools {
    private static final Logger LOG = LoggerFactory.getLogger(UpstreamTools.class);
    private static final Set<Verb> EVERYTHING = EnumSet.of(Verb.READ, Verb.CREATE, Verb.UPDATE, Verb.DELETE);

    private static final int MOST_LOGGED = 10;

    private final String id;
    private final McpSettings settings;
    private final UpstreamFailures failures;
    private final Map<String, RelayedSource> sources;
    private final KeptCalls upstream;
    private final Map<String, Set<Verb>> verbs = new LinkedHashMap<>();
    private volatile Map<String, ToolDescriptor> known = Map.of();
    private volatile Map<String, ToolDescriptor> inCatalog = Map.of();
    private volatile List<ToolDefinition.Unusable> withheld = List.of();
    private volatile List<String> refusal = List.of();

    UpstreamTools(
            String id,
            McpSettings settings,
            UpstreamFailures failures,
            KeptCalls upstream,
            Map<String, RelayedSource> sources) {
        this.sources = sources;
        this.id = id;
        this.settings = settings;
        this.failures = failures;
        this.upstream = upstream;
        settings.trust().verbs().forEach((tool, words) -> verbs.put(tool, verbs(tool, words)));
    }

    private static Set<Verb> verbs(String tool, List<String> words) {
        Set<Verb> verbs = EnumSet.noneOf(Verb.class);
        for (String word : words) {
            try {
                verbs.add(Verb.valueOf(word.toUpperCase(Locale.ROOT)));
            } catch (IllegalArgumentException _) {
                throw new IllegalArgumentException("trust.verbs." + tool + ": there is no verb \"" + word + "\"");
            }
        }
        if (verbs.isEmpty()) {
            throw new IllegalArgumentException("trust.verbs." + tool + " names no verb");
        }
        return verbs;
    }

    @Override
    public List<ToolDescriptor> tools() {
        return List.copyOf(known.values());
    }

    /** The definition of the published tool {@code name}. */
    Optional<ToolDescriptor> published(String name) {
        return Optional.ofNullable(known.get(name));
    }

    /** The definitions that are withheld, with reasons, including those that the default view can't show. */
    List<ToolDefinition.Unusable> withheld() {
        return withheld;
    }

    /** Why the catalog did not accept the tools; empty if it did. */
    List<String> refusal() {
        return refusal;
    }

    @Override
    public void refused(List<String> problems) {
        refusal = List.copyOf(problems);
    }

    @Override
    public void accepted() {
        refusal = List.of();
        inCatalog = known;
    }

    /** Publishes {@code published}; returns whether they have changed. */
    boolean publish(List<ToolDefinition> published, List<ToolDefinition.Unusable> heldBack) {
        Map<String, ToolDescriptor> next = new LinkedHashMap<>();
        List<ToolDefinition.Unusable> reasons = new ArrayList<>(heldBack);
        for (ToolDefinition definition : published) {
            next.put(definition.name(), descriptor(definition));
            if (!ToolNames.usable(id + ToolCatalog.SEPARATOR + definition.name())) {
                reasons.add(new ToolDefinition.Unusable(
                        definition.name(),
                        "with its prefix its name is too long for some model APIs or has characters that they refuse, so it is only in /mcp/"
                                + id));
            }
        }
        boolean changed = !next.equals(known);
        if (!reasons.isEmpty() && !withheld.equals(reasons)) {
            LOG.warn("{} has {} tools that are withheld, among them: {}", id, reasons.size(), some(reasons));
        }
        withheld = List.copyOf(reasons);
        known = java.util.Collections.unmodifiableMap(next);
        return changed;
    }

    private static String some(List<ToolDefinition.Unusable> reasons) {
        return reasons.stream()
                .limit(MOST_LOGGED)
                .map(unusable -> unusable.name() + " (" + unusable.reason() + ")")
                .collect(Collectors.joining(", "));
    }

    /** The usable definitions of {@code entries}. The others are added to {@code refused} with their reasons. */
    List<ToolDefinition> usable(List<ObjectNode> entries, List<ToolDefinition.Unusable> refused) {
        List<ToolDefinition> usable = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int most = settings.limits().definition().toInt();
        for (ObjectNode entry : entries) {
            switch (ToolDefinition.of(entry, most)) {
                case ToolDefinition.Read.Usable(ToolDefinition definition) -> {
                    if (names.add(definition.name())) {
                        usable.add(definition);
                    } else {
                        refused.add(new ToolDefinition.Unusable(definition.name(), "its server lists it twice"));
                    }
                }
                case ToolDefinition.Read.Unpublishable(ToolDefinition.Unusable unusable) -> refused.add(unusable);
            }
        }
        return usable;
    }

    @Override
    public Future<ToolReply> call(String tool, Arguments arguments, CallContext context) {
        ToolDescriptor descriptor = known.getOrDefault(tool, inCatalog.get(tool));
        if (descriptor == null) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.NOT_FOUND, id + " no longer offers " + tool + ". List the tools again."));
        }
        ObjectNode given = arguments.copy();
        Map<String, String> headers = ToolDefinition.paramHeaders(descriptor.inputSchema(), given);
        boolean repeatable = descriptor.effects().idempotent();
        return upstream.run("tools/call", context, (peer, asked) -> {
                    ObjectNode params = Json.object().put("name", tool);
                    params.set("arguments", given);
                    answers(peer, asked, params);
                    return peer.request(new Peer.Request("tools/call", params, headers, repeatable), asked)
                            .map(result -> reply(peer, result));
                })
                .map(reply -> context.wantsGiven() ? withGiven(tool, given, (ToolReply) reply) : (ToolReply) reply)
                .recover(failure -> Future.succeededFuture(failures.of(failure, context)));
    }

    private ToolReply withGiven(String tool, ObjectNode arguments, ToolReply reply) {
        return reply instanceof RelayedReply.RelayedResult relayed
                ? new RelayedReply.RelayedResult(
                        relayed.result(),
                        RelayedSource.given(sources, tool, arguments, new ToolAnswer(relayed.result())))
                : reply;
    }

    @Override
    public Future<ToolReply> task(BackendRequest.RelayTask request, CallContext context) {
        return upstream.once(context, peer -> {
                    ObjectNode params = Json.object().put("taskId", request.taskId());
                    if (request.inputResponses() != null) {
                        params.set("inputResponses", request.inputResponses());
                    }
                    boolean repeatable = request.kind() != TaskRequest.UPDATE;
                    return peer.request(
                                    new Peer.Request(request.kind().method(), params, Map.of(), repeatable), context)
                            .<ToolReply>map(RelayedReply.RelayedResult::new);
                })
                .recover(failure -> Future.succeededFuture(failures.of(failure, context)));
    }

    /** Adds the answers that the client has given so far. */
    static void answers(Peer peer, CallContext context, ObjectNode params) {
        CallingClient.ClientResponses answers = context.client().answers();
        if (answers != null && peer.asksInReply() && !ConsentQuestion.isAnswered(answers)) {
            params.set("inputResponses", answers.responses());
            if (answers.state() != null) {
                params.put("requestState", answers.state());
            }
        }
    }

    /** Whether {@code result} asks for input of the client. */
    static boolean incomplete(Peer peer, ObjectNode result) {
        return peer.asksInReply() && result.path("resultType").asText().equals("input_required");
    }

    /** The reply for it. */
    static RelayedReply.InputRequired needed(ObjectNode result) {
        JsonNode state = result.path("requestState");
        return new RelayedReply.InputRequired(
                result.path("inputRequests") instanceof ObjectNode requests ? requests : Json.object(),
                state.isTextual() ? state.asText() : null);
    }

    /** Whether {@code result} stands for a task. Servers of 2025-11-25 have others, which are not relayed. */
    private static boolean begun(Peer peer, ObjectNode result) {
        return peer.asksInReply() && result.path("resultType").asText().equals("task");
    }

    private static ToolReply reply(Peer peer, ObjectNode result) {
        if (begun(peer, result)) {
            return new RelayedReply.TaskBegun(result);
        }
        return incomplete(peer, result) ? needed(result) : new RelayedReply.RelayedResult(result);
    }

    private ToolDescriptor descriptor(ToolDefinition definition) {
        ObjectNode entry = definition.entry();
        JsonNode hints = entry.path("annotations");
        boolean reads =
                hints.path("readOnlyHint").asBoolean(false) && settings.trust().hints();
        return new ToolDescriptor(
                definition.name(),
                new ToolDescriptor.Texts(
                        entry.path("title").asText(hints.path("title").asText(definition.name())),
                        entry.path("description").asText("")),
                new ToolDescriptor.Schemas(
                        (ObjectNode) entry.path("inputSchema"),
                        entry.path("outputSchema") instanceof ObjectNode output ? output : null),
                new ToolDescriptor.Effects(
                        verbs.getOrDefault(definition.name(), reads ? Set.of(Verb.READ) : EVERYTHING),
                        null,
                        reads
                                || (hints.path("idempotentHint").asBoolean(false)
                                        && settings.trust().hints())),
                new ToolDescriptor.Limits(
                        settings.callTimeout(), settings.limits().result().toInt()),
                ToolDescriptor.Availability.ALWAYS,
                ToolDescriptor.AnswerFormat.PLAIN,
                entry);
    }
}
