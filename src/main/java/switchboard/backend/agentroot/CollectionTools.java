package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.source.CollectionOrigin;
import switchboard.backend.agentroot.source.DocumentProvider;
import switchboard.backend.agentroot.text.PathGlob;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.store.DocumentStore;
import switchboard.store.Namespace;

/** {@code collection_add}, {@code collection_remove} and {@code collection_update}. */
final class CollectionTools {
    private static final int MAX_NAME = 100;

    private final Supplier<DocumentStore> store;
    private final CollectionRegistry registry;
    private final Map<String, DocumentProvider> providers;
    private final CollectionUpdater updater;
    private final CollectionChangeListeners collectionChangeListeners;

    /** Additions, removals and updates of one collection take turns. */
    private final KeyedSerialExecutor<Namespace> turns = new KeyedSerialExecutor<>();

    CollectionTools(
            Supplier<DocumentStore> store,
            CollectionRegistry registry,
            List<DocumentProvider> providers,
            CollectionUpdater updater,
            CollectionChangeListeners collectionChangeListeners) {
        this.store = store;
        this.registry = registry;
        this.providers = new TreeMap<>();
        providers.forEach(provider -> this.providers.put(provider.type(), provider));
        this.updater = updater;
        this.collectionChangeListeners = collectionChangeListeners;
    }

    List<ToolHandler<?>> all() {
        return List.of(
                new Tool<>("collection_add", AddArgs.class, this::add),
                new Tool<>("collection_remove", NameArgs.class, this::remove),
                new Tool<>("collection_update", NameArgs.class, this::update));
    }

    record AddArgs(
            String name,
            String path,
            @Nullable String pattern,
            String provider,
            @Nullable JsonNode config) {}

    record NameArgs(String name) {}

    private Future<ToolReply> add(AddArgs args, CallContext context) {
        Namespace namespace = registry.namespace(name(args.name()), context.caller());
        DocumentProvider provider = provider(args.provider(), args.name(), context.caller());
        if (args.path().isBlank()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "path must not be empty. Give the folder, file or URL of the collection's documents.");
        }
        CollectionOrigin origin = new CollectionOrigin(
                args.path().strip(),
                args.pattern() == null || args.pattern().isBlank() ? provider.defaultPattern() : args.pattern(),
                options(args.config(), provider));
        // Refuses what can't be matched before it is kept.
        PathGlob.byFolder("pattern", origin.pattern());
        return turns.run(namespace, () -> registry.find(args.name(), context.caller())
                .compose(known -> {
                    if (known.isPresent()) {
                        throw new ToolException(
                                FailureKind.CONFLICT,
                                "Collection already exists: " + args.name()
                                        + ". Update it with collection_update, or remove it first.");
                    }
                    return provider.check(origin, context);
                })
                .compose(checked -> registry.keep(
                        new CollectionDefinition(args.name(), provider.type(), checked), context.caller()))
                .map(kept -> ToolReply.ok(described(kept))));
    }

    /** Names are parts of paths and URIs: they may not be taken apart or for something else. */
    static String name(String name) {
        boolean plain = !name.isBlank()
                && name.length() <= MAX_NAME
                && name.equals(name.strip())
                && "#.~".indexOf(name.charAt(0)) < 0
                && name.chars().noneMatch(c -> c < ' ' || c == 0x7F || "/\\*?[]{},:".indexOf(c) >= 0);
        if (!plain) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "A collection's name has 1 to " + MAX_NAME
                            + " characters, begins with none of # . ~ and contains none of / \\ * ? [ ] { } , :");
        }
        return name;
    }

    private DocumentProvider provider(String type, String collection, Caller caller) {
        DocumentProvider provider = providers.get(type);
        if (provider == null) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "Unknown provider type: " + type + ". There are " + String.join(", ", providers.keySet()) + ".");
        }
        if (!caller.may(provider.verb(), collection)) {
            throw new ToolException(
                    FailureKind.DENIED,
                    "Collections of the provider " + type + " need the verb "
                            + provider.verb().word() + ", which you are not granted on " + collection + ".");
        }
        return provider;
    }

    /** The provider's options: a flat object, or its JSON as text. */
    private static Map<String, String> options(@Nullable JsonNode config, DocumentProvider provider) {
        if (config == null
                || config.isNull()
                || (config.isTextual() && config.asText().isBlank())) {
            return Map.of();
        }
        JsonNode object = config;
        if (config.isTextual()) {
            try {
                object = Json.parse(config.asText());
            } catch (JsonProcessingException e) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "config is not JSON: " + e.getOriginalMessage() + ". Give an object.");
            }
        }
        Map<String, String> options = new LinkedHashMap<>();
        if (!object.isObject()
                || object.properties().stream()
                        .anyMatch(entry -> !entry.getValue().isValueNode())) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "config must be an object whose values are texts, numbers or booleans, or its JSON as text.");
        }
        object.properties()
                .forEach(entry -> options.put(entry.getKey(), entry.getValue().asText()));
        options.keySet().stream()
                .filter(name -> !provider.options().contains(name))
                .findFirst()
                .ifPresent(name -> {
                    throw new ToolException(
                            FailureKind.INVALID_ARGUMENT,
                            "The provider " + provider.type() + " has no option " + name + ". "
                                    + (provider.options().isEmpty()
                                            ? "It has none."
                                            : "It has " + String.join(", ", new TreeSet<>(provider.options())) + "."));
                });
        return options;
    }

    /** A collection as agents see it; options may hold credentials and stay here. */
    static ObjectNode described(CollectionDefinition definition) {
        return Json.object()
                .put("name", definition.name())
                .put("path", definition.origin().path())
                .put("pattern", definition.origin().pattern())
                .put("provider", definition.provider());
    }

    private Future<ToolReply> remove(NameArgs args, CallContext context) {
        Caller caller = context.caller();
        Namespace namespace = registry.namespace(args.name(), caller);
        // The documents go first: a removal that is cut off can be made again.
        return turns.run(namespace, () -> registry.find(args.name(), caller).compose(known -> {
            if (known.isEmpty()) {
                return registry.notFound(args.name(), caller).map(unknown -> unknown.failed()
                        .withDetails(Json.object().put("name", args.name()).put("removed", false)));
            }
            return store.get()
                    .drop(namespace)
                    .compose(_ -> registry.forget(args.name(), caller))
                    .map(also(_ -> collectionChangeListeners.surely(namespace)))
                    .map(_ ->
                            ToolReply.ok(Json.object().put("name", args.name()).put("removed", true)));
        }));
    }

    private Future<ToolReply> update(NameArgs args, CallContext context) {
        Namespace namespace = registry.namespace(args.name(), context.caller());
        return turns.run(namespace, () -> registry.require(args.name(), context.caller())
                .compose(definition -> updater.update(
                                definition,
                                provider(definition.provider(), definition.name(), context.caller()),
                                namespace,
                                context)
                        .onFailure(_ -> collectionChangeListeners.perhaps(namespace)))
                .map(report -> {
                    if (report.changed()) {
                        collectionChangeListeners.surely(namespace);
                    }
                    return ToolReply.ok(report.reply());
                }));
    }
}
