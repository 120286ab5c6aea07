package switchboard.testing;

import com.fasterxml.jackson.databind.node.TextNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import switchboard.backend.Backend;
import switchboard.backend.PromptProvider;
import switchboard.backend.ResourceProvider;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.ContentBlock;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.LogLevel;
import switchboard.call.ToolReply;

/**
 * A backend without an engine, whose tools do what tests need: echo, wait, fail, report progress, answer much. Its
 * descriptors are {@code toy/toy.json} among the test resources.
 */
public final class ToyBackend implements Backend {
    private final Vertx vertx;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger cancelled = new AtomicInteger();
    private final Queue<Promise<ToolReply>> held = new ConcurrentLinkedQueue<>();

    /** A backend whose waiting tools wait on {@code vertx}. */
    public ToyBackend(Vertx vertx) {
        this.vertx = vertx;
    }

    record Echo(String text, int times, @Nullable String region) {}

    record Slow(int ms) {}

    record Failing(String kind) {}

    record Steps(int steps) {}

    record Big(int bytes) {}

    record Nothing() {}

    @Override
    public List<ToolHandler<?>> tools() {
        return List.of(
                handler(
                        "echo",
                        Echo.class,
                        (args, context) -> Future.succeededFuture(ToolReply.ok(Json.object()
                                .put("text", String.join(" ", java.util.Collections.nCopies(args.times(), args.text())))
                                .put("times", args.times())))),
                handler("slow", Slow.class, (args, context) -> slow(args.ms(), context)),
                handler("hold", Nothing.class, (args, context) -> hold(context)),
                handler("failing", Failing.class, (args, context) -> fail(args.kind())),
                handler("progress", Steps.class, ToyBackend::progress),
                handler(
                        "big",
                        Big.class,
                        (args, context) -> Future.succeededFuture(ToolReply.text("x".repeat(args.bytes())))),
                handler("twin", Nothing.class, (args, context) -> Future.succeededFuture(ToolReply.text("toy"))));
    }

    @Override
    public Optional<ResourceProvider> resources() {
        return Optional.of(new ToyResources());
    }

    @Override
    public Optional<PromptProvider> prompts() {
        return Optional.of(new ToyPrompts());
    }

    /** Calls of {@code slow} and {@code hold} that have not ended. */
    public int running() {
        return running.get();
    }

    /** Calls that were told to stop. */
    public int cancelled() {
        return cancelled.get();
    }

    /** Lets every call of {@code hold} answer. */
    public void release() {
        for (Promise<ToolReply> call = held.poll(); call != null; call = held.poll()) {
            call.tryComplete(ToolReply.text("released"));
        }
    }

    private Future<ToolReply> slow(int ms, CallContext context) {
        Promise<ToolReply> promise = Promise.promise();
        long timer = vertx.setTimer(Math.max(1, ms), id -> promise.tryComplete(ToolReply.text("waited " + ms + " ms")));
        return waiting(promise, context).onComplete(ended -> vertx.cancelTimer(timer));
    }

    private Future<ToolReply> hold(CallContext context) {
        Promise<ToolReply> promise = Promise.promise();
        context.progress(1, null, "holding");
        held.add(promise);
        return waiting(promise, context).onComplete(ended -> {
            held.remove(promise);
            context.progress(2, null, "let go");
        });
    }

    private Future<ToolReply> waiting(Promise<ToolReply> promise, CallContext context) {
        running.incrementAndGet();
        context.onCancel(() -> {
            cancelled.incrementAndGet();
            promise.tryComplete(ToolReply.failed(FailureKind.CANCELLED, "Cancelled."));
        });
        return promise.future().onComplete(ended -> running.decrementAndGet());
    }

    private static Future<ToolReply> fail(String kind) {
        if (kind.equals("DEFECT")) {
            throw new IllegalStateException("a secret that callers must not see");
        }
        return Future.succeededFuture(ToolReply.failed(FailureKind.valueOf(kind), "It failed as told: " + kind + "."));
    }

    private static Future<ToolReply> progress(Steps args, CallContext context) {
        for (int step = 1; step <= args.steps(); step++) {
            context.progress(step, (double) args.steps(), "step " + step);
            context.log(LogLevel.INFO, "toy", TextNode.valueOf("log " + step));
        }
        return Future.succeededFuture(ToolReply.text("done " + args.steps()));
    }

    private static <A extends Record> ToolHandler<A> handler(
            String name, Class<A> type, BiFunction<A, CallContext, Future<ToolReply>> code) {
        return new ToolHandler<>() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public Class<A> argsType() {
                return type;
            }

            @Override
            public Future<ToolReply> call(A args, CallContext context) {
                return code.apply(args, context);
            }
        };
    }

    /** A backend with the one tool {@code twin}, which answers its name. */
    public static Backend mirror() {
        return () -> List.of(handler(
                "twin",
                Nothing.class,
                (args, context) -> Future.succeededFuture(
                        new ToolReply.Ok(List.<ContentBlock>of(new ContentBlock.TextBlock("mirror")), null))));
    }
}
