package switchboard.embed;

import io.vertx.core.Future;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import switchboard.call.Health;

/** The configured embedders, by their names in {@code embedders:}. Thread-safe. */
public final class Embedders {
    private static final Logger LOG = LoggerFactory.getLogger(Embedders.class);

    private static final String KEYWORDS =
            "Documents are stored without vectors and search is by keyword only. An embedder of another provider works here.";

    /** The name of the embedder for backends that name none. */
    public static final String DEFAULT = "default";

    /**
     * An embedder and its provider.
     *
     * @param provider {@code onnx}, {@code openai}, {@code voyage}, {@code ollama}
     * @param embedder the model
     */
    public record Named(String provider, Embedder embedder) {}

    private final Map<String, Named> byName;
    private final Set<String> switchedOff;
    private final Map<String, String> unsupported;
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();

    /**
     * The embedders of a gateway.
     *
     * @param byName the embedders
     * @param switchedOff the names whose provider is {@code none}
     */
    public Embedders(Map<String, Named> byName, Set<String> switchedOff) {
        this(byName, switchedOff, Map.of());
    }

    /**
     * The same with models that can't run on this platform. Backends that use one work without vectors.
     *
     * @param unsupported by name, why not; sentences for operators
     */
    public Embedders(Map<String, Named> byName, Set<String> switchedOff, Map<String, String> unsupported) {
        this.byName = Map.copyOf(byName);
        this.switchedOff = Set.copyOf(switchedOff);
        this.unsupported = Map.copyOf(unsupported);
    }

    /** A gateway without vectors. */
    public static Embedders none() {
        return new Embedders(Map.of(), Set.of(DEFAULT));
    }

    /**
     * The embedder called {@code name}; empty if its provider is {@code none}, or if its model can't run on this
     * platform.
     *
     * @throws IllegalArgumentException with a message for the operator, if there is no such name
     */
    public Optional<Named> find(String name) {
        Named found = byName.get(name);
        if (found == null && !switchedOff.contains(name) && !unsupported.containsKey(name)) {
            Set<String> names = new LinkedHashSet<>(byName.keySet());
            names.addAll(switchedOff);
            names.addAll(unsupported.keySet());
            throw new IllegalArgumentException(
                    "there is no embedder \"" + name + "\" under embedders:; there are " + String.join(", ", names));
        }
        if (!switchedOff.contains(name)) {
            wanted.add(name);
        }
        return Optional.ofNullable(found);
    }

    /** The model of the embedder that {@link #find} finds. */
    public Optional<Embedder> embedder(String name) {
        return find(name).map(Named::embedder);
    }

    /**
     * Starts loading the models that are in use. This takes seconds, and keyword search works meanwhile. A failure is
     * reported to callers that use the model.
     */
    public void warmUp() {
        for (String name : wanted) {
            Optional.ofNullable(unsupported.get(name))
                    .ifPresent(reason -> LOG.warn("{}: no vectors: {} {}", name, reason, KEYWORDS));
            Optional.ofNullable(byName.get(name)).ifPresent(named -> named.embedder()
                    .warmUp()
                    .onFailure(
                            failure -> LOG.warn("{}: vectors can't be computed now: {}", name, failure.getMessage())));
        }
    }

    /** The state of the models in use, by name. */
    public Map<String, ModelReadiness> readiness() {
        Map<String, ModelReadiness> all = new TreeMap<>();
        for (String name : wanted) {
            Named named = byName.get(name);
            if (named != null) {
                all.put(name, named.embedder().readiness());
            }
            String reason = unsupported.get(name);
            if (reason != null) {
                all.put(name, new ModelReadiness.Failed(reason + " " + KEYWORDS));
            }
        }
        return all;
    }

    /**
     * Requests a vector from each model in use that another server runs, by name. Models that can't run on this platform are
     * down, with the reason. The futures never fail.
     */
    public Map<String, Future<Health>> check() {
        Map<String, Future<Health>> all = new TreeMap<>();
        for (String name : wanted) {
            Optional.ofNullable(byName.get(name))
                    .flatMap(named -> named.embedder().check())
                    .ifPresent(check -> all.put(name, check));
            Optional.ofNullable(unsupported.get(name))
                    .ifPresent(reason -> all.put(name, Future.succeededFuture(Health.down(reason + " " + KEYWORDS))));
        }
        return all;
    }

    /** The traits of the models called {@code model}. */
    public Stream<ModelTraits> traits(String model) {
        return byName.values().stream()
                .map(Named::embedder)
                .filter(embedder -> embedder.model().equals(model))
                .map(Embedder::traits);
    }

    /** Closes all embedders. */
    public Future<Void> close() {
        return Future.join(byName.values().stream()
                        .map(named -> named.embedder().close())
                        .toList())
                .mapEmpty();
    }
}
