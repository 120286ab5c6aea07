package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.source.CollectionOrigin;
import switchboard.backend.agentroot.source.DocumentProvider;
import switchboard.backend.agentroot.text.PathGlob;
import switchboard.backend.embedded.AllowArgument;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.AllowedReaders;
import switchboard.store.Namespace;

/** {@code collection_add}: defines a collection. */
record CollectionAddTool(CollectionRegistry registry, DocumentProviders providers, CollectionChanges changes)
        implements ToolHandler<CollectionAddTool.Args> {
    /** The options that say who may read documents. */
    private static final Set<String> PERMISSIONS = Set.of("allow_column", "file_permissions", "private_allow");

    record Args(
            String name,
            String path,
            @Nullable String pattern,
            String provider,
            @Nullable JsonNode config,
            @Nullable List<String> allow) {}

    @Override
    public String name() {
        return "collection_add";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Namespace namespace = registry.namespace(CollectionDefinition.checked(args.name()), context.caller());
        DocumentProvider provider = providers.allowed(args.provider(), args.name(), context.caller());
        if (args.path().isBlank()) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "path must not be empty. Give the folder, file or URL of the collection's documents.");
        }
        CollectionOrigin origin = new CollectionOrigin(
                args.path().strip(),
                args.pattern() == null || args.pattern().isBlank() ? provider.defaultPattern() : args.pattern(),
                options(args.config(), provider));
        AllowedReaders allow = AllowArgument.of(args.allow());
        // Refuses what can't be matched before it is kept.
        PathGlob.byFolder("pattern", origin.pattern());
        return changes.run(namespace, context, turn -> {
            CollectionRegistry inTurn = registry.in(turn);
            return inTurn.stored(args.name(), context.caller())
                    .compose(stored -> stored.isEmpty()
                            ? added(args, provider, origin, allow, inTurn, context)
                            : kept(
                                    forReaders(stored.get().definition(), args, origin, allow, provider),
                                    stored.get(),
                                    inTurn,
                                    namespace,
                                    context))
                    .map(kept -> ToolReply.ok(kept.described()));
        });
    }

    private Future<CollectionDefinition> kept(
            CollectionDefinition definition,
            CollectionRegistry.StoredDefinition known,
            CollectionRegistry registryInTurn,
            Namespace namespace,
            CallContext context) {
        return registryInTurn
                .keep(definition, Optional.of(known), context.caller())
                .map(also(kept -> changes.haveChanged(
                        namespace, List.of(known.definition().allow(), kept.allow()))));
    }

    private Future<CollectionDefinition> added(
            Args args,
            DocumentProvider provider,
            CollectionOrigin origin,
            @Nullable AllowedReaders allow,
            CollectionRegistry registryInTurn,
            CallContext context) {
        return provider.check(origin, context)
                .compose(checked -> registryInTurn.keep(
                        new CollectionDefinition(
                                args.name(), provider.type(), checked, allow == null ? AllowedReaders.ALL : allow),
                        Optional.empty(),
                        context.caller()));
    }

    /** A known collection for other readers, if nothing else is asked for. Its origin need not be there now. */
    private static CollectionDefinition forReaders(
            CollectionDefinition known,
            Args args,
            CollectionOrigin origin,
            @Nullable AllowedReaders allow,
            DocumentProvider provider) {
        boolean same = known.provider().equals(provider.type())
                && known.origin().path().equals(origin.path())
                && (args.pattern() == null || known.origin().pattern().equals(origin.pattern()))
                && (args.config() == null || known.origin().options().equals(origin.options()));
        if (allow == null || !same) {
            throw new ToolException(
                    FailureKind.CONFLICT,
                    "Collection already exists: " + args.name()
                            + ". Update it with collection_update, or remove it first."
                            + " To change who may see it, give allow with the provider and path that status shows.");
        }
        return known.forReaders(allow);
    }

    /** Refuses options about permissions that say nothing. */
    private static void checkPermissions(Map<String, String> options) {
        options.forEach((name, value) -> {
            if (PERMISSIONS.contains(name) && value.isBlank()) {
                throw new ToolException(
                        FailureKind.INVALID_ARGUMENT,
                        "config." + name
                                + " is empty, which says nothing of who may read. Leave it out, or give a value.");
            }
        });
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
                        FailureKind.INVALID_ARGUMENT, "config is not JSON: " + Json.problem(e) + ". Give an object.");
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
        checkPermissions(options);
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
}
