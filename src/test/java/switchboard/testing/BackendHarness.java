package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.Backend;
import switchboard.backend.BackendModule;
import switchboard.backend.BackendServices;
import switchboard.backend.BackendVerticle;
import switchboard.backend.DeclaredTool;
import switchboard.backend.HandlerCheck;
import switchboard.call.Arguments;
import switchboard.call.BackendEvent;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.BusCodecs;
import switchboard.call.Caller;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.RelayedReply;
import switchboard.call.ToolReply;
import switchboard.catalog.ArgumentValidator;
import switchboard.catalog.DescriptorReader;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.ToolCatalog;
import switchboard.catalog.ToolDescriptor;
import switchboard.catalog.View;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.DispatchLimits;
import switchboard.dispatch.Dispatcher;

/**
 * One backend on a real bus behind real validation, without HTTP: descriptor file, boot check, validator, dispatcher,
 * verticle, handler.
 */
public final class BackendHarness implements ToolCaller, AutoCloseable {
    private static final Map<String, List<ToolDescriptor>> DESCRIPTORS = new ConcurrentHashMap<>();

    private final Vertx vertx;
    private final Backend backend;
    private final String id;
    private final View view;
    private final Dispatcher dispatcher;
    private final MeterRegistry meters;
    private final Queue<BackendEvent> events = new ConcurrentLinkedQueue<>();
    private Caller caller = Caller.unrestricted();
    private @Nullable BackendHarness other;
    private boolean turn;

    private BackendHarness(Vertx vertx, String id, Backend backend, View view, MeterRegistry meters) {
        this.id = id;
        this.vertx = vertx;
        this.backend = backend;
        this.view = view;
        this.meters = meters;
        // A machine that is slow now would be taken for an overloaded backend.
        this.dispatcher = new Dispatcher(vertx, new DispatchLimits(512, 512, 1024, 0, Duration.ZERO, 500), meters);
    }

    /** Starts {@code module} with {@code settings}; its id is its type. */
    public static <S extends Record> BackendHarness start(BackendModule<S> module, S settings, Path dataDir) {
        return start(module, settings, dataDir, Clock.systemUTC());
    }

    /** The same by another clock. */
    public static <S extends Record> BackendHarness start(
            BackendModule<S> module, S settings, Path dataDir, Clock clock) {
        return start(module, settings, new BackendServices(Vertx.vertx(), new SimpleMeterRegistry(), clock, dataDir));
    }

    /** The same with these services, whose Vert.x it closes. */
    public static <S extends Record> BackendHarness start(
            BackendModule<S> module, S settings, BackendServices services) {
        Vertx vertx = services.vertx();
        BusCodecs.register(vertx.eventBus());
        MeterRegistry meters = services.meters();
        Backend backend = module.create(module.type(), settings, services);
        List<ToolDescriptor> tools = descriptors(module.type());
        List<String> problems = HandlerCheck.problems(module.type(), tools, backend.tools());
        if (!problems.isEmpty()) {
            throw new AssertionError(String.join("\n", problems));
        }
        List<ToolDescriptor> open = Stream.concat(
                        tools.stream()
                                .filter(tool -> tool.availability().gate() == null
                                        || backend.gates()
                                                .contains(tool.availability().gate())),
                        backend.declaredTools().stream().map(DeclaredTool::descriptor))
                .toList();
        View view = ToolCatalog.of(List.of(new ToolCatalog.BackendTools(module.type(), module.type(), open)), List.of())
                .view("")
                .orElseThrow();
        backend.start().await();
        vertx.deployVerticle(() -> new BackendVerticle(module.type(), backend), new DeploymentOptions())
                .await();
        return new BackendHarness(vertx, module.type(), backend, view, meters);
    }

    /** The descriptors in {@code backends/<type>/tools.json}. */
    public static List<ToolDescriptor> descriptors(String type) {
        return DESCRIPTORS.computeIfAbsent(type, BackendHarness::read);
    }

    private static List<ToolDescriptor> read(String type) {
        Path file = Path.of("backends", type, "tools.json");
        try {
            return DescriptorReader.read(file.toString(), Files.readAllBytes(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Makes the following calls as another caller. */
    public BackendHarness as(UnaryOperator<Caller> change) {
        caller = change.apply(caller);
        return this;
    }

    /** Each request goes to the other one of both than the one before, from the same caller. Closes {@code second} with this one. */
    public BackendHarness inTurnWith(BackendHarness second) {
        other = second;
        return this;
    }

    /** Who answers the next request. */
    private BackendHarness next() {
        turn = !turn;
        BackendHarness second = other;
        return second == null || turn ? this : second;
    }

    /** The progress and log events of all calls so far. */
    public List<BackendEvent> events() {
        List<BackendEvent> all = new ArrayList<>(events);
        if (other != null) {
            all.addAll(other.events());
        }
        return all;
    }

    /** The backend under test. */
    public Backend backend() {
        return backend;
    }

    /** The bus's runtime. */
    public Vertx vertx() {
        return vertx;
    }

    /** The metrics. */
    public MeterRegistry meters() {
        return meters;
    }

    /** The dispatcher, to look at its counters or cancel calls. */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** Sends any request and waits for the reply. */
    public BackendReply send(BackendRequest request) {
        return next().answered(request, caller);
    }

    private BackendReply answered(BackendRequest request, Caller from) {
        return dispatcher
                .send(
                        id,
                        request,
                        from,
                        CallOptions.withEvents(java.time.Duration.ofSeconds(60), events::add, LogLevel.DEBUG))
                .reply()
                .await();
    }

    @Override
    public ToolResult call(String name, ObjectNode arguments) {
        Optional<PublishedTool> tool =
                view.tools().stream().filter(t -> t.name().equals(name)).findFirst();
        PublishedTool found = tool.orElseThrow(() -> new AssertionError("unknown tool " + name));
        return switch (found.validator().check(arguments)) {
            case ArgumentValidator.Validation.Invalid invalid ->
                render(new ToolReply.Failed(FailureKind.INVALID_ARGUMENT, String.join(" ", invalid.problems())));
            case ArgumentValidator.Validation.Valid ok ->
                complete(name, render(next().run(found, found.descriptor().own(ok.arguments()), caller)));
        };
    }

    /** Every answer of ours says the same in both forms. */
    private static ToolResult complete(String tool, ToolResult result) {
        if (result.result().has("structuredContent")) {
            TwoForms.check(tool, result.result());
        }
        return result;
    }

    private ToolReply run(PublishedTool tool, Arguments arguments, Caller from) {
        return (ToolReply) dispatcher
                .send(
                        tool.backend(),
                        new BackendRequest.CallTool(tool.descriptor().name(), arguments),
                        from,
                        CallOptions.withEvents(tool.descriptor().limits().timeout(), events::add, LogLevel.DEBUG))
                .reply()
                .await();
    }

    /** A rough rendering, enough for assertions; the real one is the protocol's. */
    private static ToolResult render(ToolReply reply) {
        ObjectNode result = Json.object();
        switch (reply) {
            case ToolReply.Ok ok -> {
                for (ContentBlock block : ok.content()) {
                    ObjectNode one = result.withArray("content").addObject();
                    switch (block) {
                        case ContentBlock.TextBlock text ->
                            one.put("type", "text").put("text", text.text());
                        case ContentBlock.EmbeddedResource resource ->
                            one.put("type", "resource")
                                    .putObject("resource")
                                    .put("uri", resource.uri())
                                    .put("mimeType", resource.mimeType())
                                    .put("text", resource.text());
                        case ContentBlock.ImageBlock image ->
                            one.put("type", "image").put("data", image.data());
                        case ContentBlock.AudioBlock audio ->
                            one.put("type", "audio").put("data", audio.data());
                        case ContentBlock.ResourceLink link ->
                            one.put("type", "resource_link").put("uri", link.uri());
                    }
                }
                if (ok.structured() != null) {
                    result.set("structuredContent", ok.structured());
                }
            }
            case RelayedReply.RelayedResult relayed -> result.setAll(relayed.result());
            case RelayedReply.InputRequired _, RelayedReply.CapabilitiesMissing _, RelayedReply.TaskBegun _ ->
                throw new AssertionError("the tool wants to involve the client: " + reply);
            case ToolReply.Failed failed -> {
                result.put("isError", true);
                result.withArray("content").addObject().put("type", "text").put("text", failed.message());
                ObjectNode error = result.putObject("_meta").putObject("switchboard/error");
                error.put("kind", failed.kind().name()).put("message", failed.message());
                if (failed.code() != null) {
                    error.put("code", failed.code());
                }
                if (failed.retryAfterMs() != null) {
                    error.put("retryAfterMs", failed.retryAfterMs());
                }
                if (failed.details() != null) {
                    error.setAll(failed.details());
                }
            }
        }
        return new ToolResult(result);
    }

    @Override
    public void close() {
        if (other != null) {
            other.close();
        }
        backend.stop().await();
        List<String> timers = OpenTimers.of(vertx);
        vertx.close().await();
        if (!timers.isEmpty()) {
            throw new AssertionError("timers of a backend that has stopped: " + timers);
        }
    }
}
