package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.store.DocumentPage;
import switchboard.store.DocumentStore;
import switchboard.store.Filter;
import switchboard.store.ListRequest;
import switchboard.store.Namespace;

/** {@code browse_directory} and {@code search_directories}. */
final class DirectoryTools {
    private static final Pattern HUMP = Pattern.compile("(\\p{Ll})(\\p{Lu})");
    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{L}\\p{N}]+");
    private static final int MAX_FILES = 200;
    private static final int MAX_DIRECTORIES = 1000;
    private static final int CONTENT_HITS = 50;

    private final Supplier<DocumentStore> store;
    private final CollectionRegistry registry;
    private final FolderTrees trees;
    private final Ranking ranking;

    DirectoryTools(Supplier<DocumentStore> store, CollectionRegistry registry, FolderTrees trees, Ranking ranking) {
        this.store = store;
        this.registry = registry;
        this.trees = trees;
        this.ranking = ranking;
    }

    List<ToolHandler<?>> all() {
        return List.of(
                new Tool<>("browse_directory", BrowseArgs.class, this::browse),
                new Tool<>("search_directories", DirectorySearchArgs.class, this::search));
    }

    record BrowseArgs(String collection, @Nullable String path, int max_depth) {}

    record DirectorySearchArgs(String query, @Nullable String collection, int limit) {}

    private Future<ToolReply> browse(BrowseArgs args, CallContext context) {
        String path = args.path() == null ? "" : DocumentAddresses.normal(args.path());
        return registry.require(args.collection(), context.caller()).compose(definition -> {
            Namespace namespace = registry.namespace(definition.name(), context.caller());
            ListRequest files = new ListRequest(
                    List.of(namespace), DocumentMetadata.inDirectory(path), ListRequest.Order.BY_SOURCE, 0, MAX_FILES);
            return trees.of(namespace).compose(tree -> {
                if (!path.isEmpty() && !tree.containsKey(path)) {
                    throw new ToolException(
                            FailureKind.NOT_FOUND,
                            "Directory not found: " + args.collection() + "/" + path
                                    + ". Browse without path to list all.");
                }
                return store.get().list(files).map(page -> ToolReply.ok(browsed(args, path, tree, page)));
            });
        });
    }

    private static ObjectNode browsed(
            BrowseArgs args, String path, NavigableMap<String, FolderTrees.Folder> tree, DocumentPage page) {
        ObjectNode reply = Json.object().put("collection", args.collection()).put("path", path);
        ArrayNode directories = reply.putArray("directories");
        int base = depth(path);
        List<String> below = tree.keySet().stream()
                .filter(one -> !one.equals(path) && (path.isEmpty() || one.startsWith(path + "/")))
                .filter(one -> depth(one) - base <= args.max_depth())
                .toList();
        below.stream().limit(MAX_DIRECTORIES).forEach(one -> directories.add(described(args.collection(), one, tree)));
        ArrayNode files = reply.putArray("files");
        page.documents().forEach(document -> files.addObject()
                .put("docid", Hashes.docid(document.contentHash()))
                .put("file", DocumentAddresses.file(document))
                .put("title", document.title()));
        return reply.put("filesTotal", page.total()).put("directoriesTotal", below.size());
    }

    private static int depth(String path) {
        return path.isEmpty() ? 0 : path.split("/").length;
    }

    private static ObjectNode described(String collection, String path, NavigableMap<String, FolderTrees.Folder> tree) {
        FolderTrees.Folder folder = java.util.Objects.requireNonNull(tree.get(path));
        ObjectNode one = Json.object()
                .put("collection", collection)
                .put("path", path)
                .put("uri", DocumentAddresses.uri(collection, path))
                .put("depth", depth(path))
                .put("file_count", folder.files())
                .put("child_dir_count", folder.children())
                .put("dominant_language", folder.dominantLanguage());
        folder.languages().forEach(one.putArray("languages")::add);
        folder.concepts().forEach(one.putArray("concepts")::add);
        return one;
    }

    private record FolderPath(Namespace namespace, String path) {}

    private Future<ToolReply> search(DirectorySearchArgs args, CallContext context) {
        List<String> words = words(args.query());
        return registry.reading(args.collection(), context.caller()).compose(namespaces -> {
            Map<FolderPath, Double> scores = new HashMap<>();
            Map<Namespace, NavigableMap<String, FolderTrees.Folder>> all = new HashMap<>();
            Future<Void> named = Future.succeededFuture();
            for (Namespace namespace : namespaces) {
                named = named.compose(_ -> trees.of(namespace))
                        .map(also(tree -> {
                            all.put(namespace, tree);
                            tree.forEach((path, folder) ->
                                    add(scores, new FolderPath(namespace, path), score(path, folder, words)));
                        }))
                        .mapEmpty();
            }
            return named.compose(_ -> content(args.query(), namespaces, scores))
                    .map(_ -> ToolReply.ok(found(args, scores, all)));
        });
    }

    private static void add(Map<FolderPath, Double> scores, FolderPath place, double score) {
        if (score > 0) {
            scores.merge(place, score, Double::sum);
        }
    }

    /** A word in the folder's own name counts most, then one in its path, in its concepts, in its files' titles. */
    private static double score(String path, FolderTrees.Folder folder, List<String> words) {
        List<String> name = words(path.substring(path.lastIndexOf('/') + 1));
        List<String> above = words(path);
        List<String> concepts = folder.concepts();
        double score = 0;
        for (String word : words) {
            if (begins(name, word)) {
                score += 4;
            } else if (begins(above, word)) {
                score += 2;
            }
            if (begins(concepts, word)) {
                score += 2;
            }
            String next = folder.words().ceiling(word);
            if (next != null && begins(List.of(next), word)) {
                score += 1;
            }
        }
        return score;
    }

    private static boolean begins(Collection<String> candidates, String word) {
        return candidates.stream().anyMatch(one -> one.equals(word) || (word.length() >= 3 && one.startsWith(word)));
    }

    /** Adds the content of folders: the best files give their folders up to one point each. */
    private Future<Void> content(String query, List<Namespace> namespaces, Map<FolderPath, Double> scores) {
        return ranking.byWords(new Ranking.Query(query, namespaces, new Filter.All(), CONTENT_HITS, 0))
                .map(also(found -> {
                    Map<FolderPath, Double> best = new HashMap<>();
                    found.documents()
                            .forEach(one -> best.merge(
                                    new FolderPath(
                                            one.document().namespace(),
                                            DocumentMetadata.directory(
                                                    one.document().source())),
                                    one.score(),
                                    Math::max));
                    best.forEach((place, score) -> add(scores, place, score));
                }))
                .mapEmpty();
    }

    private static ObjectNode found(
            DirectorySearchArgs args,
            Map<FolderPath, Double> scores,
            Map<Namespace, NavigableMap<String, FolderTrees.Folder>> all) {
        List<Map.Entry<FolderPath, Double>> best = new ArrayList<>(scores.entrySet());
        best.sort(Map.Entry.<FolderPath, Double>comparingByValue(Comparator.reverseOrder())
                .thenComparing(entry -> entry.getKey().namespace())
                .thenComparing(entry -> entry.getKey().path()));
        ObjectNode reply = Json.object().put("query", args.query());
        ArrayNode directories = reply.putArray("directories");
        best.stream().limit(args.limit()).forEach(entry -> {
            FolderPath place = entry.getKey();
            NavigableMap<String, FolderTrees.Folder> tree =
                    all.getOrDefault(place.namespace(), Collections.emptyNavigableMap());
            if (tree.containsKey(place.path())) {
                directories.add(described(place.namespace().name(), place.path(), tree)
                        .put("score", Results.rounded(entry.getValue())));
            }
        });
        return reply.put("count", directories.size());
    }

    /** The words of a name or a title in lower case. */
    static List<String> words(String text) {
        String parted = HUMP.matcher(text).replaceAll("$1 $2").toLowerCase(Locale.ROOT);
        return BETWEEN_WORDS
                .splitAsStream(parted)
                .filter(word -> !word.isEmpty())
                .toList();
    }
}
