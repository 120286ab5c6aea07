package switchboard.backend.agentroot;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import switchboard.backend.agentroot.AgentrootDatabase.TableRow;
import switchboard.backend.agentroot.source.CollectionOrigin;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.backend.agentroot.text.LlmMetadata;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.convert.DocumentConverter;
import switchboard.embed.EmbedListener;
import switchboard.store.AllowedReaders;
import switchboard.store.ChunkEmbedders;
import switchboard.store.DocumentStore;
import switchboard.store.Namespace;
import switchboard.store.NewDocument;

/**
 * Imports a database of agentroot's own server: collections with their definitions, documents with their text, model
 * descriptions and metadata, and memories. Existing data stays unchanged, so an import can be repeated. Blocks: call
 * it on the thread of a command.
 */
public final class AgentrootImport {
    private static final Set<String> PROVIDERS = Set.of("file", "github", "url", "pdf", "sql", "csv", "json");

    private final DocumentStore store;
    private final ChunkEmbedders embedders;
    private final CollectionRegistry registry;
    private final Memories memories;
    private final DocumentPreparation preparation;
    private final Caller caller;
    private final Clock clock;
    private final List<String> left = new ArrayList<>();
    private int documents;
    private int kept;

    /**
     * An import into {@code store}.
     *
     * @param caller the owner of the imported collections and memories
     */
    AgentrootImport(DocumentStore store, ChunkEmbedders embedders, Clock clock, Caller caller) {
        this.store = store;
        this.embedders = embedders;
        this.registry = new CollectionRegistry(_ -> store);
        this.memories = new Memories(_ -> store, clock);
        this.preparation = new DocumentPreparation(new DocumentConverter(), embedders);
        this.caller = caller;
        this.clock = clock;
    }

    /**
     * The result of an import.
     *
     * @param collections number of added collections
     * @param documents number of documents
     * @param memories number of memories
     * @param left what was not imported, and why
     */
    public record Report(int collections, int documents, int memories, List<String> left) {
        public Report {
            left = List.copyOf(left);
        }
    }

    /** Follows a long import. */
    public interface ImportListener {
        /** Called after each document. */
        void document(String file);
    }

    /**
     * Imports {@code file}.
     *
     * @throws ToolException if it is not an agentroot database, or the store can't be written
     */
    public Report run(Path file, ImportListener listener) {
        try (AgentrootDatabase database = AgentrootDatabase.open(file)) {
            Map<String, String> providers = new HashMap<>();
            int[] added = {0};
            database.collections(row -> added[0] += collection(row, providers) ? 1 : 0);
            database.documents(row -> {
                if (providers.containsKey(row.get("collection"))) {
                    document(row, providers.getOrDefault(row.get("collection"), "file"));
                    listener.document(row.get("collection") + "/" + row.get("path"));
                }
            });
            database.memories(this::memory);
            database.others().forEach((table, count) -> left.add(table + ": " + count + " rows"));
            return new Report(added[0], documents, kept, left);
        }
    }

    private boolean collection(TableRow row, Map<String, String> providers) {
        String name = row.get("name");
        String provider = row.text("provider_type").orElse("file");
        try {
            CollectionDefinition.checked(name);
            if (!PROVIDERS.contains(provider)) {
                left.add("collection " + name + ": there is no provider " + provider);
                return false;
            }
            providers.put(name, provider);
            if (registry.find(name, caller).await().isPresent()) {
                return false;
            }
            CollectionOrigin origin = new CollectionOrigin(
                    row.get("path"), row.text("pattern").orElse("**/*.md"), options(row.get("provider_config")));
            registry.keep(
                            new CollectionDefinition(name, provider, origin, AllowedReaders.ALL),
                            Optional.empty(),
                            caller)
                    .await();
            return true;
        } catch (ToolException e) {
            left.add("collection " + name + ": " + e.failed().message());
            return false;
        }
    }

    private static Map<String, String> options(String config) {
        Map<String, String> options = new LinkedHashMap<>();
        object(config)
                .properties()
                .forEach(entry -> options.put(entry.getKey(), entry.getValue().asText()));
        return options;
    }

    private static ObjectNode object(String json) {
        try {
            return !json.isBlank() && Json.parse(json) instanceof ObjectNode object ? object : Json.object();
        } catch (JsonProcessingException _) {
            return Json.object();
        }
    }

    private void document(TableRow row, String provider) {
        Namespace namespace = registry.namespace(row.get("collection"), caller);
        String path = row.get("path");
        if (store.find(namespace, path).await().isPresent()) {
            return;
        }
        DocumentPreparation.ModelDescription described = new DocumentPreparation.ModelDescription(
                "",
                new LlmMetadata(
                        row.text("llm_summary"),
                        row.text("llm_category"),
                        row.text("llm_difficulty"),
                        words(row.get("llm_keywords")),
                        words(row.get("llm_concepts"))));
        SourceDocument.RawContent content = new SourceDocument.RawContent(
                row.get("doc").replace("\0", "").getBytes(StandardCharsets.UTF_8),
                // Its text was converted before it was stored.
                path.matches("(?i).*\\.(html?|pdf|docx|pptx|xlsx|epub)") ? path + ".md" : path,
                null,
                row.text("title").orElse(null),
                null,
                time(row, "modified_at").orElse(null),
                Json.object());
        try {
            var documentKey = new DocumentPreparation.DocumentKey(namespace.name(), provider, path, "");
            DocumentPreparation.PreparedDocument draft = preparation.prepare(
                    documentKey, preparation.withOwnPermission(content).requireUnderstood(), described, () -> false);
            store.put(namespace, embedded(draft, metadata(row))).await();
            documents++;
        } catch (ToolException | IllegalArgumentException e) {
            left.add("document " + namespace.name() + "/" + path + ": " + e.getMessage());
        }
    }

    private NewDocument embedded(DocumentPreparation.PreparedDocument draft, ObjectNode user) {
        return draft.document(
                embedders.embed(draft.passages(), EmbedListener.NONE).await(), embedders.name(), user);
    }

    /** A JSON array, or words with commas. */
    private static List<String> words(String list) {
        List<String> words = new ArrayList<>();
        try {
            if (list.strip().startsWith("[")) {
                Json.parse(list).forEach(word -> words.add(word.asText()));
                return words;
            }
        } catch (JsonProcessingException _) {
            return words;
        }
        for (String word : list.split(",")) {
            if (!word.isBlank()) {
                words.add(word.strip());
            }
        }
        return words;
    }

    /** The metadata without the types that were written with each value. */
    private ObjectNode metadata(TableRow row) {
        ObjectNode stored = object(row.get("user_metadata"));
        ObjectNode fields = stored.size() == 1 && stored.get("fields") instanceof ObjectNode inner ? inner : stored;
        ObjectNode plain = Json.object();
        fields.properties().forEach(entry -> plain.set(entry.getKey(), unwrapped(entry.getValue())));
        List<String> dropped = new ArrayList<>();
        ObjectNode user = UserMetadata.merged(Json.object(), plain, dropped);
        if (!dropped.isEmpty()) {
            left.add("metadata " + String.join(", ", dropped) + " of " + row.get("collection") + "/" + row.get("path"));
        }
        return user;
    }

    private static JsonNode unwrapped(JsonNode value) {
        if (value.isObject() && value.has("value")) {
            return value.path("value");
        }
        return value.isObject() && value.size() == 1 ? value.elements().next() : value;
    }

    private void memory(TableRow row) {
        String category = row.get("category");
        if (!MemoryExtraction.CATEGORIES.contains(category)
                || row.text("content").isEmpty()) {
            left.add("memory " + row.get("id") + ": category " + category);
            return;
        }
        Instant created = time(row, "created_at").orElseGet(clock::instant);
        boolean fresh = memories.takeOver(
                        new Memories.NewMemory(
                                row.get("content"),
                                category,
                                row.text("confidence").map(Double::parseDouble).orElse(1.0),
                                row.text("session_id").orElse(null),
                                row.text("source_query").orElse(null)),
                        new Memories.History(
                                created,
                                time(row, "updated_at").orElse(created),
                                row.text("access_count").map(Integer::parseInt).orElse(0),
                                time(row, "last_accessed_at").orElse(null)),
                        caller)
                .await();
        kept += fresh ? 1 : 0;
    }

    private static Optional<Instant> time(TableRow row, String column) {
        return UserMetadata.time(row.get(column));
    }
}
