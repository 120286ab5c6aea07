package switchboard.backend.vectordb;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.embedded.CallerStore;
import switchboard.backend.embedded.NamespaceSearch;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.AllowedReaders;
import switchboard.store.Namespace;
import switchboard.store.NamespaceStats;
import switchboard.text.ClosestName;
import switchboard.text.SurrogatePairs;

/** Maps libraries to namespaces of the store: those of the caller's owner, within the caller's scope. */
final class LibraryResolver implements NamespaceSearch.NamespaceResolver {
    private final CallerStore store;

    LibraryResolver(CallerStore store) {
        this.store = store;
    }

    /** The library of that name. */
    Namespace forWriting(String library, Caller caller) {
        allow(library, caller);
        return Namespace.of(caller, library);
    }

    /** Why there is no library of that name for the caller, with the most similar name; empty if there is one. */
    Future<Optional<String>> unknown(String library, Caller caller) {
        return readable(existing(caller), caller).map(libraries -> {
            List<String> names = libraries.stream().map(Namespace::name).toList();
            return names.contains(library)
                    ? Optional.empty()
                    : Optional.of("There is no library \"" + library + "\"."
                            + ClosestName.of(library, names)
                                    .map(near -> " Did you mean \"" + near + "\"?")
                                    .orElse("")
                            + " list_libraries shows those there are; the first document makes one.");
        });
    }

    /** Those of {@code namespaces} that exist for the caller: without those whose documents are all hidden. */
    Future<List<Namespace>> readable(List<Namespace> namespaces, Caller caller) {
        return store.of(caller)
                .stats(namespaces)
                .map(all -> all.stream().map(NamespaceStats::namespace).sorted().toList());
    }

    /** The libraries to read: the named one, which may not exist, or all that the caller may see. */
    List<Namespace> forReading(@Nullable String library, Caller caller) {
        if (library != null) {
            allow(library, caller);
            return List.of(Namespace.of(caller, library));
        }
        return existing(caller);
    }

    @Override
    public Future<List<Namespace>> visible(Caller caller) {
        return Future.succeededFuture(existing(caller));
    }

    @Override
    public Future<NamespaceSearch.ReadableNamespace> named(String library, Caller caller) {
        return Future.succeededFuture(
                new NamespaceSearch.ReadableNamespace(forWriting(library, caller), AllowedReaders.ALL));
    }

    @Override
    public String about(Namespace namespace) {
        return "Library of ingested documents";
    }

    /** All existing libraries that the caller may see. */
    List<Namespace> existing(Caller caller) {
        String owner = caller.owner(); // first of all: who lacks a claim is refused, whether there are libraries or not
        return store.of(caller).namespaces().stream()
                .filter(namespace ->
                        namespace.owner().equals(owner) && caller.scope().allows(namespace.name()))
                .toList();
    }

    private static void allow(String library, Caller caller) {
        if (!SurrogatePairs.wellFormed(library)) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "library has half of a character (a lone surrogate), which no encoding has. Use another name.");
        }
        if (!caller.scope().allows(library)) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "You may not use the library \"" + library + "\". list_libraries shows those that you may.");
        }
    }
}
