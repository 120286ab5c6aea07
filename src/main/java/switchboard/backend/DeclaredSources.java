package switchboard.backend;

import io.vertx.core.Future;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.SearchableSource;
import switchboard.call.SourceQuery;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.call.UnknownFields;

/**
 * The sources of a backend that the operator has declared one by one. Immutable.
 *
 * @param backend the backend's id
 * @param byName the declarations by source name, sorted
 * @param <S> how a source is declared
 */
public record DeclaredSources<S>(String backend, Map<String, S> byName) {
    public DeclaredSources {
        byName = Collections.unmodifiableMap(new TreeMap<>(byName));
    }

    /** Those that the caller may see. */
    public Future<BackendReply.Sources> list(CallContext context, Function<S, String> description) {
        return Future.succeededFuture(new BackendReply.Sources(byName.entrySet().stream()
                .filter(source -> context.caller().scope().allows(source.getKey()))
                .map(source -> new SearchableSource(
                        source.getKey(), description.apply(source.getValue()), null, List.of(), null, List.of()))
                .toList()));
    }

    /**
     * The declaration of {@code name}.
     *
     * @throws ToolException {@code NOT_FOUND} if there is none, or the caller may not see it
     */
    public S visible(String name, CallContext context) {
        S found = byName.get(name);
        if (found == null || !context.caller().scope().allows(name)) {
            throw new ToolException(
                    FailureKind.NOT_FOUND, "There is no source \"" + name + "\" in " + backend + " that you may use.");
        }
        return found;
    }

    /**
     * Checks that {@code query} has no conditions. How another server filters is not known.
     *
     * @throws ToolException {@code INVALID_ARGUMENT} if it has
     */
    public void checkUnfiltered(String name, SourceQuery query) {
        if (!query.conditions().isEmpty()) {
            throw UnknownFields.of(
                            query.conditions().stream()
                                    .map(SourceQuery.Condition::field)
                                    .toList(),
                            List.of())
                    .failure(backend + ":" + name + " can't be filtered. Leave filters out to search it, too.");
        }
    }

    /** The failure of reading a document of a source whose documents can't be read. */
    public ToolException unreadable(String name) {
        return new ToolException(new ToolReply.Failed(
                        FailureKind.NOT_FOUND,
                        "The documents of " + backend + ":" + name
                                + " can't be read here, only searched. Use the passage, or its url.")
                .withCode(BackendRequest.ReadDocument.ONLY_SEARCHED));
    }

    /** The failure of reading a document that does not exist. */
    public ToolException missing(BackendRequest.ReadDocument request) {
        return new ToolException(
                FailureKind.NOT_FOUND,
                "There is no document " + request.document() + " in \"" + request.source() + "\" of " + backend + ".");
    }

    /** The failure of a search whose answer has no list at {@code pointer}. */
    public ToolException noResults(String name, String pointer) {
        return new ToolException(
                FailureKind.UNAVAILABLE,
                backend + " gave no list at \"" + pointer + "\" for " + backend + ":" + name
                        + ". The operator has to check the declaration of its results.");
    }
}
