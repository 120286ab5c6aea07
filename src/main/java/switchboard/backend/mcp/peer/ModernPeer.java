package switchboard.backend.mcp.peer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import switchboard.call.CallContext;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.TaskRequest;
import switchboard.call.ToolException;
import switchboard.text.HeaderValue;

/** A server of 2026-07-28: without sessions; every request is complete in itself. */
final class ModernPeer implements Peer {
    static final String VERSION = "2026-07-28";
    private static final String META = "io.modelcontextprotocol/";

    private final Transport transport;
    private final ClientInfo clientInfo;
    private final JsonNode description;
    private final ListenStream listenStream;

    private ModernPeer(Transport transport, ClientInfo clientInfo, JsonNode description) {
        this.transport = transport;
        this.clientInfo = clientInfo;
        this.description = description;
        this.listenStream = new ListenStream(description.path("capabilities"), this::listen, System::nanoTime);
    }

    /**
     * Connects to the server behind {@code transport}; fails with {@link RpcFailure}, or {@link NotModern} if it speaks
     * another era.
     */
    static Future<Peer> discover(Transport transport, ClientInfo clientInfo, CallContext context) {
        ModernPeer unknown = new ModernPeer(transport, clientInfo, Json.object());
        Request discover = Request.reading("server/discover", Json.object());
        return unknown.ask(discover, context)
                .recover(failure ->
                        offersOurVersion(failure) ? unknown.ask(discover, context) : Future.failedFuture(failure))
                .map(found -> {
                    for (JsonNode version : found.path("supportedVersions")) {
                        if (version.asText().equals(VERSION)) {
                            return new ModernPeer(transport, clientInfo, described(found));
                        }
                    }
                    throw new NotModern();
                });
    }

    /** Whether the server refused a version and supports ours, so that it is tried once more. */
    private static boolean offersOurVersion(Throwable failure) {
        if (failure instanceof RpcFailure error && error.code() == RpcFailure.UNSUPPORTED_VERSION) {
            for (JsonNode supported : error.data().path("supported")) {
                if (supported.asText().equals(VERSION)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static JsonNode described(ObjectNode found) {
        ObjectNode description = Json.object();
        description.set("capabilities", found.path("capabilities"));
        description.set("serverInfo", found.path("_meta").path(META + "serverInfo"));
        description.set("instructions", found.path("instructions"));
        return description;
    }

    /** The server does not speak this era. */
    static final class NotModern extends RuntimeException {
        private static final long serialVersionUID = 1L;

        NotModern() {
            super("the server does not speak " + VERSION, null, false, false);
        }
    }

    @Override
    public JsonNode description() {
        return description;
    }

    @Override
    public String version() {
        return VERSION;
    }

    @Override
    public boolean asksInReply() {
        return true;
    }

    @Override
    public Future<ObjectNode> request(Request request, CallContext context) {
        return ask(request, context)
                .recover(failure -> Future.failedFuture(failure instanceof NotModern ? unreadable() : failure));
    }

    private static ToolException unreadable() {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                "The server answered something that is neither a result nor an error. " + EngineMessageSanitizer.LATER);
    }

    private Future<ObjectNode> ask(Request request, CallContext context) {
        long id = transport.nextId();
        ObjectNode message = message(id, request, context);
        Transport.Sent sent = transport.send(
                new Transport.Outgoing(
                        message,
                        headers(request, message.path("params")),
                        context.remaining(),
                        context.traceparent(),
                        request.repeatable()),
                new PeerEventRelay(context, id));
        context.onCancel(() -> giveUp(id, sent));
        return sent.answer().map(answer -> answer.result(NotModern::new));
    }

    @Override
    public Future<Void> listen(Consumer<ObjectNode> notifications, Runnable opened) {
        return listenStream.listen(notifications);
    }

    @Override
    public Future<Void> watch(Set<String> uris) {
        return listenStream.watch(uris);
    }

    private Transport.Sent listen(ObjectNode params, Consumer<ObjectNode> related) {
        InternalCallContext context = InternalCallContext.standing();
        long id = transport.nextId();
        Request request = Request.reading("subscriptions/listen", params);
        ObjectNode message = message(id, request, context);
        Transport.Sent sent = transport.stand(
                new Transport.Outgoing(
                        message, headers(request, message.path("params")), context.remaining(), null, true),
                related);
        return new Transport.Sent(sent.answer(), () -> giveUp(id, sent));
    }

    @Override
    public Future<Void> leave() {
        listenStream.leave();
        return Future.succeededFuture();
    }

    @Override
    public Future<Void> close() {
        return leave().compose(_ -> transport.close());
    }

    private void giveUp(long id, Transport.Sent sent) {
        if (!transport.givingUpShows()) {
            transport.cancel(id, Map.of());
        }
        sent.giveUp().run();
    }

    private ObjectNode message(long id, Request request, CallContext context) {
        ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", request.method());
        ObjectNode params = message.putObject("params");
        params.setAll(request.params());
        ObjectNode meta = params.putObject("_meta");
        meta.put(META + "protocolVersion", VERSION);
        meta.set(META + "clientInfo", clientInfo.json());
        meta.set(META + "clientCapabilities", context.client().capabilities());
        LogLevel level = context.logLevel();
        if (level != null) {
            meta.put(META + "logLevel", level.word());
        }
        if (context.wantsEvents()) {
            meta.put("progressToken", id);
        }
        if (context.traceparent() != null) {
            meta.put("traceparent", context.traceparent());
        }
        return message;
    }

    private static Map<String, String> headers(Request request, JsonNode params) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("MCP-Protocol-Version", VERSION);
        headers.put("Mcp-Method", request.method());
        switch (request.method()) {
            case "tools/call", "prompts/get" ->
                headers.put("Mcp-Name", HeaderValue.encode(params.path("name").asText()));
            case "resources/read" ->
                headers.put("Mcp-Name", HeaderValue.encode(params.path("uri").asText()));
            default -> {
                if (TaskRequest.has(request.method())) {
                    headers.put(
                            "Mcp-Name", HeaderValue.encode(params.path("taskId").asText()));
                }
            }
        }
        headers.putAll(request.headers());
        return headers;
    }
}
