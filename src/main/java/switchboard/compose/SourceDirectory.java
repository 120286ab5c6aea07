package switchboard.compose;

import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import switchboard.auth.AccessPolicy;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;
import switchboard.dispatch.CallOptions;
import switchboard.dispatch.PendingCall;

/** Finds out what an asker may search. Thread-safe. */
final class SourceDirectory {
    private final Set<String> searchable;
    private final AccessPolicy policy;
    private final Parts parts;

    /** A directory of the backends {@code searchable}. */
    SourceDirectory(Set<String> searchable, AccessPolicy policy, Parts parts) {
        this.searchable = Set.copyOf(searchable);
        this.policy = policy;
        this.parts = parts;
    }

    /**
     * What was found.
     *
     * @param sources sorted by backend, then name
     * @param silent the backends that could not say what they have
     */
    record Found(List<Source> sources, List<SourceStatus> silent) {
        /** All of {@code parts} as one. */
        static Found all(List<Found> parts) {
            return new Found(
                    parts.stream()
                            .flatMap(found -> found.sources().stream())
                            .sorted(Comparator.comparing(Source::label))
                            .toList(),
                    parts.stream().flatMap(found -> found.silent().stream()).toList());
        }
    }

    /**
     * Asks every backend that {@code asker} may search and {@code wanted} is about; each answers for itself, so that
     * nobody waits for a backend that hangs.
     *
     * @param pending is given each call under way, to take it back
     */
    List<Future<Found>> find(Asker asker, SourceChoice wanted, CallOptions options, Consumer<PendingCall> pending) {
        List<Future<Found>> answers = new ArrayList<>();
        for (String backend : asker.sortedBackends()) {
            if (searchable.contains(backend)
                    && wanted.concerns(backend)
                    && policy.decide(asker.principal(), asker.offered(backend), backend, Asker.SEARCH, List.of())
                            instanceof AccessPolicy.Decision.Allowed allowed) {
                answers.add(ask(
                        new Asked(
                                backend,
                                allowed.caller(),
                                source -> wanted.accepts(source) && asker.shows(source.label())),
                        options,
                        pending));
            }
        }
        return answers;
    }

    /** A backend, as whom it is asked, and which of its sources are meant. */
    private record Asked(String backend, Caller caller, Predicate<Source> wanted) {}

    private Future<Found> ask(Asked asked, CallOptions options, Consumer<PendingCall> pending) {
        long start = System.nanoTime();
        String backend = asked.backend();
        Caller caller = asked.caller();
        PendingCall call = parts.send(backend, new BackendRequest.ListSources(), caller, options);
        pending.accept(call);
        return call.reply()
                .map(reply -> PartReply.either(
                        reply,
                        BackendReply.Sources.class,
                        found -> new Found(
                                found.sources().stream()
                                        .map(about -> new Source(backend, caller, about))
                                        .filter(asked.wanted())
                                        .toList(),
                                List.of()),
                        failed -> new Found(List.of(), List.of(silent(backend, failed, start)))));
    }

    private static SourceStatus silent(String backend, ToolReply.Failed failed, long start) {
        FailureKind kind = failed.kind();
        return new SourceStatus(backend, SourceStatus.Status.of(kind), 0, Elapsed.ms(start), failed.message());
    }
}
