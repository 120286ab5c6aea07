package switchboard.backend.agentroot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collector;
import org.jspecify.annotations.Nullable;
import switchboard.async.Futures;
import switchboard.backend.agentroot.text.NameWords;
import switchboard.backend.embedded.CallerStore;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentStore;
import switchboard.store.MetadataRow;
import switchboard.store.Namespace;

/**
 * The folders of collections, computed from their documents. Counting reads the metadata of all documents of a collection
 * once. The result is cached until the collection changes: a few numbers and words for each folder.
 */
final class FolderTrees {
    private static final int MAX_CONCEPTS = 20;
    private static final int MAX_WORDS = 500;

    /** Maximum number of trees. Beyond it, a caller who sees a part of a collection gets a tree that is not kept. */
    private static final int MAX_KEPT = 2_000;

    private static final String EXTENSION = "file_type";
    private static final String TITLE = "title";
    private static final String LANGUAGE = DocumentMetadata.field("language");
    private static final String CONCEPTS = DocumentMetadata.field("concepts");

    private final CallerStore store;
    private final Supplier<Collection<Namespace>> namespaces;
    private final ConcurrentHashMap<TreeKey, KnownTree> known = new ConcurrentHashMap<>();

    /** Trees of the collections in {@code store}; {@code namespaces} gives all that it has. */
    FolderTrees(CallerStore store, Supplier<Collection<Namespace>> namespaces) {
        this.store = store;
        this.namespaces = namespaces;
    }

    /**
     * A folder.
     *
     * @param files number of files directly in it
     * @param children number of folders directly in it
     * @param dominantLanguage the most frequent language of its files, otherwise the most frequent extension
     * @param languages the languages of its files, the most frequent first
     * @param concepts the concepts of its files, in alphabetical order: the twenty most frequent
     * @param words words of its files' titles and names; in a large folder only the first
     */
    record Folder(
            int files,
            int children,
            String dominantLanguage,
            List<String> languages,
            List<String> concepts,
            NavigableSet<String> words) {
        /** The folder in the format for agents. */
        ObjectNode described(String collection, String path) {
            ObjectNode one = Json.object()
                    .put("collection", collection)
                    .put("path", path)
                    .put("uri", DocumentAddresses.uri(collection, path))
                    .put("depth", depth(path))
                    .put("file_count", files)
                    .put("child_dir_count", children)
                    .put("dominant_language", dominantLanguage);
            languages.forEach(one.putArray("languages")::add);
            concepts.forEach(one.putArray("concepts")::add);
            return one;
        }
    }

    /** A collection as some callers see it. */
    private record TreeKey(Namespace namespace, DocumentAccess access) {}

    /**
     * A tree of the collection in one of its states, or a later one.
     *
     * @param begun completes when the documents begin to be read; until then it is good for each later state, too
     */
    private record KnownTree(String state, Promise<Void> begun, Future<NavigableMap<String, Folder>> tree) {
        boolean good(String now) {
            return state.equals(now) || !begun.future().isComplete();
        }
    }

    /** How many folders a path has; none at the top. */
    static int depth(String path) {
        return path.isEmpty() ? 0 : path.split("/").length;
    }

    /** A folder while its files are counted. */
    private static final class FolderCount {
        private int files;
        private int children;
        private final Map<String, Integer> extensions = new HashMap<>();
        private final Map<String, Integer> languages = new HashMap<>();
        private final Map<String, Integer> concepts = new HashMap<>();
        private final TreeSet<String> words = new TreeSet<>();

        private void add(MetadataRow document) {
            files++;
            extensions.merge(document.one(EXTENSION), 1, Integer::sum);
            String language = document.one(LANGUAGE);
            if (!language.isEmpty()) {
                languages.merge(language, 1, Integer::sum);
            }
            document.all(CONCEPTS).forEach(concept -> concepts.merge(concept, 1, Integer::sum));
            if (words.size() < MAX_WORDS) {
                words.addAll(NameWords.of(document.one(TITLE)));
                words.addAll(NameWords.of(
                        document.source().substring(document.source().lastIndexOf('/') + 1)));
            }
        }

        private Folder counted() {
            List<String> dominant = commonest(languages.isEmpty() ? extensions : languages);
            return new Folder(
                    files,
                    children,
                    dominant.isEmpty() ? "" : dominant.getFirst(),
                    commonest(languages),
                    commonest(concepts).stream().limit(MAX_CONCEPTS).sorted().toList(),
                    Collections.unmodifiableNavigableSet(words));
        }

        private static List<String> commonest(Map<String, Integer> counts) {
            return counts.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue()
                            .reversed()
                            .thenComparing(Map.Entry.comparingByKey()))
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /**
     * The folders of a collection by path, as {@code caller} sees them; the top is {@code ""} and there if there is any
     * document.
     */
    Future<NavigableMap<String, Folder>> of(Namespace namespace, Caller caller) {
        DocumentStore readable = store.of(caller);
        return readable.state(namespace).compose(state -> of(namespace, readable, state));
    }

    private Future<NavigableMap<String, Folder>> of(Namespace namespace, DocumentStore readable, String state) {
        TreeKey key = new TreeKey(namespace, readable.accessTo(namespace));
        if (!(key.access() instanceof DocumentAccess.Everything)
                && known.size() >= MAX_KEPT
                && !known.containsKey(key)) {
            return read(namespace, readable);
        }
        if (!known.containsKey(key)) {
            forgetGone();
        }
        KnownTree kept = known.compute(
                key, (_, old) -> old != null && old.good(state) ? old : after(old, state, namespace, readable));
        return Futures.here(kept.tree()).onFailure(_ -> known.remove(key, kept));
    }

    /** A tree that is read when the one before it is: while documents change, one after the other is, for all who ask meanwhile. */
    private static KnownTree after(@Nullable KnownTree old, String state, Namespace namespace, DocumentStore readable) {
        Promise<Void> begun = Promise.promise();
        Future<?> before = old == null ? Future.succeededFuture() : old.tree();
        return new KnownTree(state, begun, before.transform(_ -> {
            begun.complete();
            return read(namespace, readable);
        }));
    }

    /** Removes collections from the cache that another gateway has removed. */
    private void forgetGone() {
        Set<Namespace> there = Set.copyOf(namespaces.get());
        known.keySet().removeIf(key -> !there.contains(key.namespace()));
    }

    /** Removes a collection from the cache. */
    void changed(Namespace namespace) {
        known.keySet().removeIf(key -> key.namespace().equals(namespace));
    }

    private static Future<NavigableMap<String, Folder>> read(Namespace namespace, DocumentStore readable) {
        return readable.facts(
                namespace,
                Set.of(EXTENSION, TITLE, LANGUAGE, CONCEPTS),
                Collector.of(
                        HashMap<String, FolderCount>::new,
                        (counts, document) -> count(DocumentMetadata.directory(document.source()), counts)
                                .add(document),
                        FolderTrees::oneAfterTheOther,
                        FolderTrees::tree));
    }

    private static HashMap<String, FolderCount> oneAfterTheOther(
            Map<String, FolderCount> one, Map<String, FolderCount> other) {
        throw new UnsupportedOperationException("facts are collected one document after the other");
    }

    private static NavigableMap<String, Folder> tree(Map<String, FolderCount> counts) {
        NavigableMap<String, Folder> tree = new TreeMap<>();
        counts.forEach((path, count) -> tree.put(path, count.counted()));
        return Collections.unmodifiableNavigableMap(tree);
    }

    /** The counts of the folder with that path. Missing ones, and those above, are added. */
    private static FolderCount count(String path, Map<String, FolderCount> counts) {
        FolderCount known = counts.get(path);
        if (known != null) {
            return known;
        }
        FolderCount made = new FolderCount();
        counts.put(path, made);
        if (!path.isEmpty()) {
            count(DocumentMetadata.directory(path), counts).children++;
        }
        return made;
    }
}
