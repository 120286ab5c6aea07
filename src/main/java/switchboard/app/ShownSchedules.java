package switchboard.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.auth.AccessPolicy.PolicyDecision;
import switchboard.auth.Principal;
import switchboard.backend.ScheduleProvider;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ResourceScope;
import switchboard.call.ToolException;
import switchboard.catalog.ToolDescriptor;
import switchboard.console.ConsoleEditor;
import switchboard.console.ConsoleSchedules;

/** The schedules for the console: who may call {@code collection_update} for a collection may set when it is updated. */
record ShownSchedules(GatewaySchedules schedules, AccessPolicy policy) implements ConsoleSchedules {
    private static final String LISTING = "status";
    private static final String UPDATING = "collection_update";

    @Override
    public Future<ObjectNode> list(Principal person) {
        ObjectNode shown = Json.object();
        ArrayNode all = shown.putArray("schedules");
        ArrayNode elsewhere = shown.putArray("elsewhere");
        Future<Void> listed = Future.succeededFuture();
        for (LoadedBackend backend : schedules.backends()) {
            Optional<ScheduleProvider> provider = backend.backend().schedules();
            Caller caller = caller(person, backend, LISTING, List.of());
            if (provider.isPresent() && caller != null) {
                listed = listed.compose(_ -> provider.get().list(caller))
                        .map(some -> {
                            some.forEach(one -> all.add(marked(one, person, backend)));
                            return (Void) null;
                        })
                        .otherwise(_ -> {
                            elsewhere.add(backend.id());
                            return null;
                        });
            }
        }
        return listed.map(shown);
    }

    private ObjectNode marked(ObjectNode schedule, Principal person, LoadedBackend backend) {
        boolean may = !schedule.path("configured").asBoolean()
                && caller(
                                person,
                                backend,
                                UPDATING,
                                List.of(schedule.path("collection").asText()))
                        != null;
        return schedule.put("backend", backend.id()).put("may_change", may);
    }

    @Override
    public Future<ObjectNode> set(ConsoleEditor editor, ScheduledCollection collection, ObjectNode schedule) {
        Principal person = editor.person();
        String by = person.team().isEmpty() ? person.id() : person.team() + "/" + person.id();
        return changed(editor, collection, "schedules/set", allowed -> allowed.provider()
                .set(allowed.caller(), by, collection.name(), schedule)
                .map(one -> marked(one, person, allowed.backend())));
    }

    @Override
    public Future<ObjectNode> remove(ConsoleEditor editor, ScheduledCollection collection) {
        return changed(editor, collection, "schedules/remove", allowed -> allowed.provider()
                .remove(allowed.caller(), collection.name())
                .map(removed -> Json.object().put("removed", removed)));
    }

    private record AllowedChange(LoadedBackend backend, ScheduleProvider provider, Caller caller) {}

    private Future<ObjectNode> changed(
            ConsoleEditor editor,
            ScheduledCollection collection,
            String method,
            Function<AllowedChange, Future<ObjectNode>> change) {
        if (!schedules.audit().ready()) {
            return Future.failedFuture(new ToolException(
                    FailureKind.UNAVAILABLE,
                    "Schedules are not changed while the audit log can't be written. Try again later."));
        }
        Optional<AllowedChange> allowed = allowed(editor.person(), collection);
        Future<ObjectNode> done = allowed.isEmpty()
                ? Future.failedFuture(new ToolException(
                        FailureKind.DENIED,
                        "You may not set when this collection is updated: that needs the right to update it."))
                : Future.<Void>succeededFuture().compose(_ -> change.apply(allowed.get()));
        return done.onComplete(over -> schedules
                .audit()
                .changed(
                        editor,
                        method,
                        collection.backend() + ":" + collection.name(),
                        allowed.isPresent(),
                        word(over.cause())));
    }

    private Optional<AllowedChange> allowed(Principal person, ScheduledCollection collection) {
        for (LoadedBackend backend : schedules.backends()) {
            Optional<ScheduleProvider> provider = backend.backend().schedules();
            if (backend.id().equals(collection.backend()) && provider.isPresent()) {
                Caller caller = caller(person, backend, UPDATING, List.of(collection.name()));
                return caller == null
                        ? Optional.empty()
                        : Optional.of(new AllowedChange(backend, provider.get(), caller));
            }
        }
        return Optional.empty();
    }

    /** The identity in which {@code person} may use {@code tool} on {@code resources}; null if it may not. */
    private @Nullable Caller caller(Principal person, LoadedBackend backend, String tool, List<String> resources) {
        return backend.all().stream()
                .filter(one -> one.name().equals(tool) && backend.open(one))
                .findFirst()
                .map(ToolDescriptor::verbs)
                .map(verbs -> policy.decide(person, ResourceScope.ALL, backend.id(), verbs, resources))
                .map(decision -> decision instanceof PolicyDecision.Allowed(Caller caller) ? caller : null)
                .orElse(null);
    }

    private static String word(@Nullable Throwable failure) {
        return switch (failure) {
            case null -> "ok";
            case ToolException told -> told.failed().kind().name().toLowerCase(Locale.ROOT);
            default -> "internal";
        };
    }
}
