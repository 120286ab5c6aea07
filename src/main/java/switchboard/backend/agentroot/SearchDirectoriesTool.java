package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.backend.agentroot.text.NameWords;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.Json;
import switchboard.call.ToolReply;
import switchboard.store.Filter;
import switchboard.store.Namespace;

/** {@code search_directories}: folders by their names, concepts and content. */
record SearchDirectoriesTool(CollectionRegistry registry, FolderTrees trees, Ranking ranking)
        implements ToolHandler<SearchDirectoriesTool.Args> {
    private static final int CONTENT_HITS = 50;

    record Args(String query, @Nullable String collection, int limit) {}

    private record FolderPath(Namespace namespace, String path) {}

    @Override
    public String name() {
        return "search_directories";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        List<String> words = NameWords.of(args.query());
        return registry.reading(args.collection(), context.caller()).compose(namespaces -> {
            Map<FolderPath, Double> scores = new HashMap<>();
            Map<FolderPath, FolderTrees.Folder> folders = new HashMap<>();
            Future<Void> named = Future.succeededFuture();
            for (Namespace namespace : namespaces) {
                named = named.compose(_ -> trees.of(namespace, context.caller()))
                        .map(also(tree -> tree.forEach((path, folder) -> {
                            FolderPath folderPath = new FolderPath(namespace, path);
                            folders.put(folderPath, folder);
                            add(scores, folderPath, score(path, folder, words));
                        })))
                        .mapEmpty();
            }
            return named.compose(_ -> content(args.query(), namespaces, scores, context.caller()))
                    .map(reason -> {
                        ObjectNode reply = reply(args, scores, folders);
                        reason.ifPresent(why -> reply.put("reason", why));
                        return ToolReply.ok(reply);
                    });
        });
    }

    private static void add(Map<FolderPath, Double> scores, FolderPath folderPath, double score) {
        if (score > 0) {
            scores.merge(folderPath, score, Double::sum);
        }
    }

    /** A word in the folder's own name counts most, then one in its path, in its concepts, in its files' titles. */
    private static double score(String path, FolderTrees.Folder folder, List<String> words) {
        List<String> name = NameWords.of(path.substring(path.lastIndexOf('/') + 1));
        List<String> above = NameWords.of(path);
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

    /**
     * Adds the content of folders: the best files give their folders up to one point each.
     *
     * @return how the search of the content differed from what was asked
     */
    private Future<Optional<String>> content(
            String query, List<Namespace> namespaces, Map<FolderPath, Double> scores, Caller caller) {
        return ranking.byWords(new Ranking.Query(query, namespaces, new Filter.All(), CONTENT_HITS, 0, caller))
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
                    best.forEach((folderPath, score) -> add(scores, folderPath, score));
                }))
                .map(Ranking.RankedDocuments::reason);
    }

    /** A folder that is not counted yet, because its documents are newer, is left out. */
    private static ObjectNode reply(
            Args args, Map<FolderPath, Double> scores, Map<FolderPath, FolderTrees.Folder> folders) {
        List<Map.Entry<FolderPath, Double>> best = new ArrayList<>(scores.entrySet());
        best.sort(Map.Entry.<FolderPath, Double>comparingByValue(Comparator.reverseOrder())
                .thenComparing(entry -> entry.getKey().namespace())
                .thenComparing(entry -> entry.getKey().path()));
        ObjectNode reply = Json.object().put("query", args.query());
        ArrayNode directories = reply.putArray("directories");
        best.stream().limit(args.limit()).forEach(entry -> {
            FolderPath folderPath = entry.getKey();
            FolderTrees.Folder folder = folders.get(folderPath);
            if (folder != null) {
                directories.add(folder.described(folderPath.namespace().name(), folderPath.path())
                        .put("score", ResultFormatter.rounded(entry.getValue())));
            }
        });
        return reply.put("count", directories.size());
    }
}
