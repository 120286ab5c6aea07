package switchboard.compose;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.async.Futures;
import switchboard.auth.AccessPolicy;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.catalog.ToolSearch;
import switchboard.dispatch.PendingCall;

/**
 * The tools that are made of several backends. In catalogs, grants and views they are those of a backend called {@value
 * #ID}; what they find is limited, backend by backend, by what the asker may do there. Thread-safe.
 */
public final class Composer {
    /** What the tools' backend is called. */
    public static final String ID = ToolSearch.BACKEND;

    /** The names of the tools and the records that their arguments are bound to. */
    public static final Map<String, Class<? extends Record>> ARGUMENTS = Map.of(
            SearchEverywhere.NAME, SearchEverywhere.Args.class,
            ListSources.NAME, ListSources.Args.class,
            FetchDocument.NAME, FetchDocument.Args.class,
            FindTools.NAME, FindTools.Args.class,
            ToolSearch.CALL, InnerCall.class);

    private static final Logger LOG = LoggerFactory.getLogger(Composer.class);

    private final Set<String> searchable;
    private final Map<String, ComposedTool<?>> tools;
    private final ComposedPrompts prompts;

    /**
     * What composed tools stand on.
     *
     * @param policy who may see what
     * @param parts the way to the backends
     * @param lane where passages are scored
     * @param keywords how they are scored by their words
     */
    public record Ground(AccessPolicy policy, Parts parts, Lane lane, KeywordScore keywords) {}

    /** Tools over the backends {@code searchable}. */
    public Composer(Set<String> searchable, ComposeSettings settings, Ground ground) {
        this.searchable = Set.copyOf(searchable);
        SourceDirectory directory = new SourceDirectory(searchable, ground.policy(), ground.parts());
        this.prompts = new ComposedPrompts(directory, settings);
        this.tools = List.of(
                        new SearchEverywhere(directory, settings, ground),
                        new ListSources(directory, settings),
                        new FetchDocument(searchable, ground),
                        new FindTools(ground))
                .stream()
                .collect(Collectors.toUnmodifiableMap(ComposedTool::name, Function.identity()));
    }

    /** Calls the tool {@code name}; never throws, and the reply never fails. */
    public PendingCall call(String name, Arguments arguments, Asker asker) {
        Running running = new Running();
        ComposedTool<?> tool = tools.get(name);
        Future<ToolReply> reply = tool == null
                ? Future.failedFuture(new IllegalStateException("no composed tool " + name))
                : run(tool, arguments, asker.in(searchable), running);
        Futures.finish(reply, running::land, failure -> running.land(failed(name, failure)));
        return running;
    }

    /** Answers a request about prompts; never throws, and the reply never fails. */
    public PendingCall prompts(BackendRequest request, Asker asker) {
        Running running = new Running();
        Futures.finish(
                prompts.answer(request, asker.in(searchable), running::add),
                running::land,
                failure -> running.land(failed("prompts", failure)));
        return running;
    }

    private static <A extends Record> Future<ToolReply> run(
            ComposedTool<A> tool, Arguments arguments, Asker asker, Running running) {
        try {
            return tool.call(arguments.bind(tool.argsType()), asker, running::add);
        } catch (RuntimeException e) {
            return Future.failedFuture(e);
        }
    }

    private static ToolReply failed(String tool, Throwable failure) {
        if (failure instanceof ToolException expected) {
            return expected.failed();
        }
        LOG.error("{} failed: {}", tool, failure.toString(), failure);
        return ToolReply.failed(
                FailureKind.INTERNAL, "Internal error in " + tool + "; ask the operator to look into the log.");
    }

    private static final class Running implements PendingCall {
        private final Promise<BackendReply> promise = Promise.promise();
        private final Queue<PendingCall> parts = new ConcurrentLinkedQueue<>();
        private volatile boolean cancelled;

        void add(PendingCall part) {
            parts.add(part);
            if (cancelled) {
                part.cancel();
            }
        }

        void land(BackendReply reply) {
            promise.tryComplete(reply);
        }

        @Override
        public Future<BackendReply> reply() {
            return promise.future();
        }

        @Override
        public void cancel() {
            cancelled = true;
            parts.forEach(PendingCall::cancel);
            land(ToolReply.failed(FailureKind.CANCELLED, "The call was cancelled."));
        }
    }
}
