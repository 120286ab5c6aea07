package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.ResourceScope;
import switchboard.call.ToolReply;
import switchboard.call.Verb;
import switchboard.call.ViewResources;
import switchboard.catalog.View;
import switchboard.dispatch.PendingCall;
import switchboard.protocol.BackendCapabilities;
import switchboard.protocol.Cancellation;
import switchboard.protocol.MetaKeys;
import switchboard.protocol.ProtocolServices;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcException;
import switchboard.protocol.RpcResult;

/** Calls the backends of a view that the caller may read, in the order of their ids. */
final class Backends {
    /** A backend and the identity for it. */
    record BackendTarget(String id, Caller caller) {}

    /** A feature of backends besides tools. */
    enum BackendFeature {
        RESOURCES,
        PROMPTS
    }

    /** Some of the backends with {@code offer}. */
    record FeatureQuery(BackendFeature offer, Predicate<String> ids) {}

    /** A backend and the request to it. */
    record BackendQuery(BackendTarget target, BackendRequest request) {}

    private final ProtocolServices services;
    private final InputRequiredFlow inputRequiredFlow;

    Backends(ProtocolServices services, InputRequiredFlow inputRequiredFlow) {
        this.services = services;
        this.inputRequiredFlow = inputRequiredFlow;
    }

    /** The capabilities of each backend. */
    BackendCapabilities providers() {
        return services.providers();
    }

    /** All that have prompts. */
    FeatureQuery prompts() {
        return new FeatureQuery(BackendFeature.PROMPTS, providers()::prompts);
    }

    /** All that have resources. */
    FeatureQuery resources() {
        return new FeatureQuery(BackendFeature.RESOURCES, providers()::resources);
    }

    /** The backends that {@code wanted} accepts. */
    List<BackendTarget> targets(RpcCall call, FeatureQuery wanted) {
        List<BackendTarget> targets = new ArrayList<>();
        for (String id : call.view().backends().stream().sorted().toList()) {
            if (wanted.ids().test(id)
                    && decide(call, wanted.offer(), id) instanceof AccessPolicy.PolicyDecision.Allowed allowed) {
                targets.add(new BackendTarget(id, allowed.caller()));
            }
        }
        return targets;
    }

    /**
     * The same for something requested by name.
     *
     * @throws RpcException if another access token could reach what this one can't
     */
    List<BackendTarget> required(RpcCall call, FeatureQuery wanted) {
        List<BackendTarget> targets = targets(call, wanted);
        if (targets.isEmpty()) {
            call.view().backends().stream()
                    .sorted()
                    .filter(wanted.ids())
                    .map(id -> decide(call, wanted.offer(), id))
                    .filter(AccessPolicy.PolicyDecision.InsufficientScope.class::isInstance)
                    .map(AccessPolicy.PolicyDecision.InsufficientScope.class::cast)
                    .findFirst()
                    .ifPresent(decision -> {
                        throw InsufficientScope.of(decision);
                    });
        }
        return targets;
    }

    private AccessPolicy.PolicyDecision decide(RpcCall call, BackendFeature offer, String id) {
        ViewResources shown = call.view().resources();
        ResourceScope within =
                switch (offer) {
                    case RESOURCES -> shown.offered(id);
                    case PROMPTS -> shown.of(id);
                };
        return services.policy().decide(call.principal(), within, id, Set.of(Verb.READ), List.of());
    }

    /**
     * The first answer that {@code use} accepts, which gets the backend's id, too; empty if no backend has one. If a
     * backend has asked for input before, only that one gets the answers.
     */
    <T> Future<Optional<T>> first(
            RpcCall call, List<BackendQuery> asked, BiFunction<String, BackendReply, Optional<T>> use) {
        Optional<String> destination = inputRequiredFlow.destination(call);
        return next(
                call,
                asked.stream()
                        .filter(one -> destination.isEmpty()
                                || destination.get().equals(one.target().id()))
                        .toList(),
                use);
    }

    /**
     * The first item that {@code use} makes of a backend's id and its answer of the type {@code wanted}; empty if no
     * backend has it. A question of a backend to the client is an answer, too.
     */
    <R extends BackendReply> Future<Optional<RpcResult>> firstItem(
            RpcCall call, List<BackendQuery> asked, Class<R> wanted, BiFunction<String, R, Optional<RpcResult>> use) {
        return first(call, asked, (backend, reply) -> {
            if (reply instanceof RelayedReply.InputRequired need) {
                return Optional.of(InputRequiredResults.questions(need));
            }
            if (reply instanceof RelayedReply.CapabilitiesMissing missing) {
                throw InputRequiredResults.capabilitiesMissing(missing);
            }
            return reply.either(wanted, item -> use.apply(backend, item), BackendErrors::unlessMissing);
        });
    }

    /** The same question for all of {@code targets}. */
    static List<BackendQuery> alike(List<BackendTarget> targets, BackendRequest request) {
        return targets.stream().map(target -> new BackendQuery(target, request)).toList();
    }

    private <T> Future<Optional<T>> next(
            RpcCall call, List<BackendQuery> asked, BiFunction<String, BackendReply, Optional<T>> use) {
        if (asked.isEmpty()) {
            return Future.succeededFuture(Optional.empty());
        }
        BackendTarget target = asked.getFirst().target();
        InputRequiredFlow.Sending sending = new InputRequiredFlow.Sending(
                target.id(),
                asked.getFirst().request(),
                target.caller(),
                services.settings().requestTimeout(),
                Cancellation.Work.READS);
        return inputRequiredFlow.send(call, sending).compose(reply -> {
            Optional<T> answer = use.apply(target.id(), reply);
            return answer.isPresent()
                    ? Future.succeededFuture(answer)
                    : next(call, asked.subList(1, asked.size()), use);
        });
    }

    /**
     * A page of a list of several backends: at most one page of each. A backend that can't answer is left out and
     * named in the result.
     */
    Future<RpcResult> page(
            RpcCall call, PagedList list, FeatureQuery wanted, Function<@Nullable String, BackendRequest> request) {
        Optional<Cursor> start = Cursor.of(list.method(), call.params());
        List<BackendTarget> targets = targets(call, wanted);
        List<BackendTarget> rest = start.map(cursor -> targets.stream()
                        .filter(target -> target.id().compareTo(cursor.at()) >= 0)
                        .toList())
                .orElse(targets);
        if (start.isPresent()
                && (rest.isEmpty() || !rest.getFirst().id().equals(start.get().at()))) {
            throw Cursor.invalid();
        }
        ObjectNode fields = Json.object();
        fields.putArray(list.field());
        return fill(call, list, rest, start.map(Cursor::inner).orElse(null), request, fields)
                .map(RpcResult.Tree::new);
    }

    /** The form of a backend's list entry in a view. */
    interface Naming {
        ObjectNode listed(View view, String backend, ObjectNode entry);
    }

    /** The name of a list's method, the field that its entries are in, and how they look. */
    record PagedList(String method, String field, Naming naming) {}

    private Future<ObjectNode> fill(
            RpcCall call,
            PagedList list,
            List<BackendTarget> rest,
            @Nullable String cursor,
            Function<@Nullable String, BackendRequest> request,
            ObjectNode fields) {
        if (rest.isEmpty()) {
            return Future.succeededFuture(fields);
        }
        BackendTarget target = rest.getFirst();
        return ask(call, target, request.apply(cursor)).compose(reply -> {
            ListPage page = page(reply);
            for (ObjectNode item : page.items()) {
                fields.withArrayProperty(list.field()).add(list.naming().listed(call.view(), target.id(), item));
            }
            if (page.problem() != null) {
                fields.withObjectProperty("_meta")
                        .withObjectProperty(MetaKeys.UNAVAILABLE)
                        .put(target.id(), page.problem());
            }
            List<BackendTarget> others = rest.subList(1, rest.size());
            boolean full =
                    fields.path(list.field()).size() >= services.settings().pageSize();
            if (page.next() != null) {
                fields.put("nextCursor", new Cursor(list.method(), target.id(), page.next()).encode());
                return Future.succeededFuture(fields);
            }
            if (full && !others.isEmpty()) {
                fields.put(
                        "nextCursor",
                        new Cursor(list.method(), others.getFirst().id(), null).encode());
                return Future.succeededFuture(fields);
            }
            return fill(call, list, others, null, request, fields);
        });
    }

    private Future<BackendReply> ask(RpcCall call, BackendTarget target, BackendRequest request) {
        PendingCall pending = services.outbound()
                .send(
                        target.id(),
                        request,
                        target.caller(),
                        call.options(target.id(), services.settings().requestTimeout()));
        call.cancellation().ends(Cancellation.Work.READS, pending::cancel);
        return pending.reply();
    }

    private record ListPage(
            List<ObjectNode> items,
            @Nullable String next,
            @Nullable String problem) {}

    private static ListPage page(BackendReply reply) {
        return switch (reply) {
            case BackendReply.Resources resources -> new ListPage(resources.items(), resources.next(), null);
            case BackendReply.Prompts prompts -> new ListPage(prompts.items(), prompts.next(), null);
            case ToolReply.Failed failed -> new ListPage(List.of(), null, failed.message());
            case ToolReply.Ok _,
                    RelayedReply _,
                    BackendReply.Contents _,
                    BackendReply.Prompt _,
                    BackendReply.Completion _,
                    BackendReply.Sources _,
                    BackendReply.Passages _,
                    BackendReply.Documents _,
                    BackendReply.DocumentPart _ ->
                throw new IllegalStateException(
                        "a list was answered with " + reply.getClass().getSimpleName());
        };
    }
}
