package switchboard.protocol.modern;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.List;
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

    SubscriptionsListen(ProtocolServices services) {
        this.services = services;
        this.changeSubscribers = new ChangeSubscribers(services);
        this.callerTasks = new CallerTasks(services);
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
        return listen(call, filter.with(callerTasks.known(call, filter.tasks())));
    }

    private Future<RpcResult> listen(RpcCall call, ListenFilter filter) {
        Stream stream = new Stream(call, filter);
        ChangeHub.Subscription subscription = services.changes()
                .subscribe(stream)
                .orElseThrow(() -> new RpcException(
                        RpcError.INTERNAL,
                        "No more streams can be opened now. Close one, or list again from time to time."));
        call.cancellation().onCancel(stream::end);
        ObjectNode acknowledged = Json.object();
        acknowledged.set("notifications", filter.json());
        stream.send("notifications/subscriptions/acknowledged", acknowledged);
        List<TaskWatch> watches = filter.tasks().stream()
                .map(id -> new TaskWatch(call, callerTasks, id, task -> stream.send(TaskExtension.NOTIFICATION, task)))
                .toList();
        watches.forEach(TaskWatch::begin);
        return stream.over.future().onComplete(_ -> {
            subscription.close();
            watches.forEach(TaskWatch::end);
        });
    }

    private final class Stream implements ChangeHub.Listener {
        private final RpcCall call;
        private final ListenFilter filter;
        private final Promise<RpcResult> over = Promise.promise();

        Stream(RpcCall call, ListenFilter filter) {
            this.call = call;
            this.filter = filter;
        }

        @Override
        public void changed(String backendId, ListChanged change) {
            call.loop().execute(() -> announce(backendId, change));
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
            call.loop().execute(() -> sayRelisted(kind));
        }

        @Override
        public void outdated() {
            call.loop().execute(() -> {
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
                        .forEach(uri -> send(
                                ChangeNotice.RESOURCE_UPDATED, Json.object().put("uri", uri)));
            }
        }

        private void end() {
            ObjectNode fields = Json.object();
            fields.putObject("_meta").set(MetaKeys.SUBSCRIPTION_ID, call.id());
            over.tryComplete(new RpcResult.Tree(fields));
        }
    }
}
