package switchboard.federation;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import switchboard.auth.AccessPolicy;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.Caller;

/** Finds the sources that a caller may search. Thread-safe. */
final class SourceDirectory {
    private final FederationBackend.Dependencies dependencies;

    /** A directory of the backends that can be searched. */
    SourceDirectory(FederationBackend.Dependencies dependencies) {
        this.dependencies = dependencies;
    }

    /** The caller of the call {@code context}. */
    FederatedCaller caller(CallContext context) {
        return FederatedCaller.of(context, dependencies.calls(), dependencies.searchable());
    }

    /**
     * The sources that were found.
     *
     * @param sources sorted by backend, then name
     * @param silent the backends that could not list their sources
     */
    record Resolved(List<SearchSource> sources, List<SourceStatus> silent) {
        /** Whether {@code name} is the label of a source, or a backend with some; of a backend that is silent it may be. */
        boolean mayHave(String name) {
            return !silent.isEmpty()
                    || sources.stream()
                            .anyMatch(source -> name.equals(source.label()) || name.equals(source.backend()));
        }

        /** Combines {@code parts}. */
        static Resolved all(List<Resolved> parts) {
            return new Resolved(
                    parts.stream()
                            .flatMap(found -> found.sources().stream())
                            .sorted(Comparator.comparing(SearchSource::label))
                            .toList(),
                    parts.stream().flatMap(found -> found.silent().stream()).toList());
        }
    }

    /**
     * Lists the sources of every backend that the caller may search and {@code wanted} matches, with {@code fields}, by backend.
     * Each has its own future, so that one that hangs delays no other.
     */
    Map<String, Future<Resolved>> find(
            FederatedCaller federatedCaller,
            SourceSelector wanted,
            BackendRequest.FilterFields fields,
            Duration timeout) {
        Map<String, Future<Resolved>> answers = new LinkedHashMap<>();
        for (String backend : federatedCaller.sortedBackends()) {
            if (dependencies.searchable().contains(backend)
                    && wanted.concerns(backend)
                    && dependencies
                                    .policy()
                                    .decide(
                                            federatedCaller.principal(),
                                            federatedCaller.offered(backend),
                                            backend,
                                            FederatedCaller.SEARCH,
                                            List.of())
                            instanceof AccessPolicy.PolicyDecision.Allowed allowed) {
                answers.put(backend, ask(federatedCaller, backend, allowed.caller(), wanted, fields, timeout));
            }
        }
        return answers;
    }

    private static Future<Resolved> ask(
            FederatedCaller federatedCaller,
            String backend,
            Caller caller,
            SourceSelector wanted,
            BackendRequest.FilterFields fields,
            Duration timeout) {
        long start = System.nanoTime();
        return federatedCaller
                .ask(backend, new BackendRequest.ListSources(fields), caller, timeout)
                .map(reply -> reply.either(
                        BackendReply.Sources.class,
                        found -> new Resolved(
                                found.sources().stream()
                                        .map(about -> new SearchSource(backend, caller, about))
                                        .filter(source ->
                                                wanted.accepts(source) && federatedCaller.shows(source.label()))
                                        .toList(),
                                List.of()),
                        failed -> new Resolved(
                                List.of(),
                                List.of(SourceStatus.failed(backend, failed, SourceStatus.millisSince(start))))));
    }
}
