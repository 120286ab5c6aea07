package switchboard.compose;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import switchboard.auth.AccessPolicy;
import switchboard.backend.CallContext;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** Finds out what an asker may search. Thread-safe. */
final class SourceDirectory {
    private final FederationBackend.Ground ground;

    /** A directory of the backends that can be searched. */
    SourceDirectory(FederationBackend.Ground ground) {
        this.ground = ground;
    }

    /** Who asked for the call of {@code context}. */
    Asker asker(CallContext context) {
        return Asker.of(context, ground.calls(), ground.searchable());
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
     */
    List<Future<Found>> find(Asker asker, SourceChoice wanted, Duration timeout) {
        List<Future<Found>> answers = new ArrayList<>();
        for (String backend : asker.sortedBackends()) {
            if (ground.searchable().contains(backend)
                    && wanted.concerns(backend)
                    && ground.policy()
                                    .decide(asker.principal(), asker.offered(backend), backend, Asker.SEARCH, List.of())
                            instanceof AccessPolicy.Decision.Allowed allowed) {
                answers.add(ask(asker, backend, allowed.caller(), wanted, timeout));
            }
        }
        return answers;
    }

    private static Future<Found> ask(
            Asker asker, String backend, Caller caller, SourceChoice wanted, Duration timeout) {
        long start = System.nanoTime();
        return asker.ask(backend, new BackendRequest.ListSources(), caller, timeout)
                .map(reply -> PartReply.either(
                        reply,
                        BackendReply.Sources.class,
                        found -> new Found(
                                found.sources().stream()
                                        .map(about -> new Source(backend, caller, about))
                                        .filter(source -> wanted.accepts(source) && asker.shows(source.label()))
                                        .toList(),
                                List.of()),
                        failed -> new Found(List.of(), List.of(silent(backend, failed, start)))));
    }

    private static SourceStatus silent(String backend, ToolReply.Failed failed, long start) {
        FailureKind kind = failed.kind();
        return new SourceStatus(backend, SourceStatus.Status.of(kind), 0, Elapsed.ms(start), failed.message());
    }
}
