package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.async.Futures;
import switchboard.auth.Principal;
import switchboard.call.BackendEvent.ListChanged;
import switchboard.call.Json;
import switchboard.protocol.ChangeHub;
import switchboard.protocol.ChangeNotice;
import switchboard.protocol.ChangeSubscribers;
import switchboard.protocol.MetaKeys;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.ReplySink.Urgency;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcError;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;
import switchboard.protocol.TaskExtension;
import switchboard.protocol.method.CallerTasks;

/**
 * {@code subscriptions/listen}: a stream of requested change notifications. It ends with its result when the gateway
 * stops, and without one when the caller disconnects.
 */
final class SubscriptionsListen implements MethodHandler {
    private final ProtocolServices services;
    private final ChangeSubscribers changeSubscribers;
    private final CallerTasks callerTasks;

    SubscriptionsListen(ProtocolServices services, CallerTasks callerTasks) {
        this.services = services;
        this.changeSubscribers = new ChangeSubscribers(services);
        this.callerTasks = callerTasks;
    }

    @Override
    public String method() {
        return "subscriptions/listen";
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        ListenFilter filter = ListenFilter.of(call.params().path("notifications"));
        if (!call.accept().stream()) {
            throw new RpcException(
                    RpcError.NOT_ACCEPTABLE, "This method answers with a stream: accept text/event-stream.");
        }
        if (!filter.tasks().isEmpty() && !TaskExtension.declared(call)) {
            throw TaskExtension.missing();
        }
        return listen(call, filter, callerTasks.join(call, filter.tasks()));
    }

    private Future<RpcResult> listen(RpcCall call, ListenFilter filter, List<CallerTasks.Joined> tasks) {
        Stream stream = new Stream(
                call,
                filter.withTasks(tasks.stream().map(CallerTasks.Joined::id).toList()));
        List<TaskWatch> watches = tasks.stream()
                .map(task ->
                        new TaskWatch(call, callerTasks, task, state -> stream.send(TaskExtension.NOTIFICATION, state)))
                .toList();
        Optional<ChangeHub.Subscription> subscription = services.changes().subscribe(stream);
        if (subscription.isEmpty()) {
            watches.forEach(TaskWatch::end);
            throw new RpcException(
                    RpcError.INTERNAL,
                    "No more streams can be opened now. Close one, or list again from time to time.");
        }
        call.cancellation().onCancel(stream::end);
        stream.acknowledge();
        tell(stream, watches);
        return stream.over.future().onComplete(_ -> {
            subscription.get().close();
            watches.forEach(TaskWatch::end);
        });
    }

    /** Has {@code watches} tell {@code stream} of their tasks, after its acknowledgement. */
    private void tell(Stream stream, List<TaskWatch> watches) {
        if (watches.isEmpty()) {
            return;
        }
        stream.later(() -> {
            if (!stream.over.future().isComplete()) {
                watches.forEach(TaskWatch::begin);
            }
        });
        Runnable ticks =
                services.tasks().eachTick(() -> stream.call.loop().execute(() -> watches.forEach(TaskWatch::tick)));
        stream.over.future().onComplete(_ -> ticks.run());
    }

    private final class Stream implements ChangeHub.Listener {
        private final RpcCall call;
        private final ListenFilter filter;
        private final Promise<RpcResult> over = Promise.promise();
        private final Promise<Void> acknowledged = Promise.promise();

        Stream(RpcCall call, ListenFilter filter) {
            this.call = call;
            this.filter = filter;
        }

        /** After other servers were asked for the resources, so that no change after it is missed; it is the first message. */
        void acknowledge() {
            Futures.finish(
                    services.changes().watching().lookAndAsk(view(), filter.resources()),
                    _ -> call.loop().execute(() -> {
                        if (!over.future().isComplete()) {
                            ObjectNode params = Json.object();
                            params.set("notifications", filter.json());
                            send("notifications/subscriptions/acknowledged", params);
                        }
                        acknowledged.complete();
                    }),
                    _ -> {});
        }

        /** Runs on the stream's loop, after the acknowledgement. */
        private void later(Runnable action) {
            Futures.finish(acknowledged.future(), _ -> call.loop().execute(action), _ -> {});
        }

        @Override
        public void changed(String backendId, ListChanged change) {
            later(() -> announce(backendId, change));
        }

        @Override
        public void updated(String backendId, Map<String, Set<String>> changed) {
            later(() -> {
                if (!over.future().isComplete()) {
                    changeSubscribers.updatesFor(this, backendId, changed).forEach(this::sayUpdated);
                }
            });
        }

        private void sayUpdated(String uri) {
            send(ChangeNotice.RESOURCE_UPDATED, Json.object().put("uri", uri));
        }

        @Override
        public Set<String> watched() {
            return filter.resources();
        }

        @Override
        public Principal principal() {
            return call.principal();
        }

        @Override
        public String view() {
            return call.view().name();
        }

        @Override
        public void relisted(ListChanged.ListType kind) {
            later(() -> sayRelisted(kind));
        }

        @Override
        public void outdated() {
            later(() -> {
                sayRelisted(ListChanged.ListType.TOOLS);
                end();
            });
        }

        private void sayRelisted(ListChanged.ListType kind) {
            if (!over.future().isComplete() && filter.wants(kind)) {
                send(ChangeNotice.method(kind), Json.object());
            }
        }

        @Override
        public void shutdown() {
            call.loop().execute(this::end);
        }

        void send(String method, ObjectNode params) {
            params.withObjectProperty("_meta").set(MetaKeys.SUBSCRIPTION_ID, call.id());
            call.notifier().send(method, params, Urgency.KEEP);
        }

        private void announce(String backendId, ListChanged change) {
            if (over.future().isComplete() || !changeSubscribers.isNotified(principal(), view(), backendId, change)) {
                return;
            }
            if (filter.wants(change.kind())) {
                send(ChangeNotice.method(change.kind()), Json.object());
            }
            if (change.kind() == ListChanged.ListType.RESOURCES) {
                filter.resources().stream()
                        .filter(uri -> changeSubscribers.isNotifiedOf(principal(), view(), backendId, change, uri))
                        .forEach(this::sayUpdated);
            }
        }

        private void end() {
            ObjectNode fields = Json.object();
            fields.putObject("_meta").set(MetaKeys.SUBSCRIPTION_ID, call.id());
            over.tryComplete(new RpcResult.Tree(fields));
        }
    }
}
