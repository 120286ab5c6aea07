package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import switchboard.backend.agentroot.source.DocumentProvider.Skipped;
import switchboard.backend.agentroot.source.GithubApi.Repository;
import switchboard.backend.agentroot.text.PathGlob;
import switchboard.backend.embedded.PermissionFiles;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.convert.DocumentConverter;
import switchboard.upstream.UpstreamRequest;

/** The files of a repository at one commit. Use once. */
final class GithubTree {
    /** Maximum number of folders that are listed one by one if GitHub does not return the whole tree at once. */
    private static final int MAX_FOLDERS = 1000;

    private static final Duration MARGIN = Duration.ofSeconds(30);

    private final GithubApi api;
    private final Repository repository;
    private final CollectionLimits limits;
    private final CallContext context;
    private final List<Blob> blobs = new ArrayList<>();
    private final List<Skipped> skipped = new ArrayList<>();
    private boolean complete = true;

    GithubTree(GithubApi api, Repository repository, CollectionLimits limits, CallContext context) {
        this.api = api;
        this.repository = repository;
        this.limits = limits;
        this.context = context;
    }

    /** A file by its path in the collection. */
    record Blob(String path, String sha) {}

    /** A branch, tag or commit, and a path in it. */
    record RefPath(String ref, String path) {}

    /** A folder whose tree has not been read yet. */
    private record Folder(String path, String sha) {}

    List<Blob> blobs() {
        return blobs.stream().sorted(Comparator.comparing(Blob::path)).toList();
    }

    List<Skipped> skipped() {
        return skipped;
    }

    boolean complete() {
        return complete;
    }

    /**
     * The target of an address. Names of branches and tags may contain slashes, so the repository is asked for them.
     */
    Future<RefPath> resolve(GithubAddress address, Optional<String> branch) {
        String rest = address.rest();
        if (branch.isPresent()) {
            String name = branch.get();
            String path = rest.startsWith(name + "/") ? rest.substring(name.length() + 1) : rest;
            return Future.succeededFuture(new RefPath(name, path.equals(name) ? "" : path));
        }
        if (rest.isEmpty()) {
            return Future.succeededFuture(new RefPath("HEAD", ""));
        }
        String first = rest.split("/")[0];
        return named("heads", first, rest)
                .compose(found -> found.isPresent() ? Future.succeededFuture(found) : named("tags", first, rest))
                .map(found -> found.or(() -> Optional.of(first)
                                .filter(word -> word.matches("[0-9a-f]{7,40}"))
                                .map(sha -> new RefPath(sha, below(rest, sha))))
                        .orElseThrow(() -> new ToolException(
                                FailureKind.NOT_FOUND,
                                repository + " has no branch or tag that \"" + rest
                                        + "\" begins with. Check the address.")));
    }

    private Future<Optional<RefPath>> named(String kind, String first, String rest) {
        String prefix = "refs/" + kind + "/";
        return api.json(repository, "/git/matching-refs/" + kind + "/" + UpstreamRequest.segment(first), context)
                .map(refs -> {
                    Optional<String> longest = Optional.empty();
                    for (JsonNode ref : refs) {
                        String name = ref.path("ref").asText();
                        name = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
                        boolean fits = rest.equals(name) || rest.startsWith(name + "/");
                        if (fits && name.length() > longest.map(String::length).orElse(0)) {
                            longest = Optional.of(name);
                        }
                    }
                    return longest.map(name -> new RefPath(name, below(rest, name)));
                });
    }

    private static String below(String rest, String name) {
        return rest.length() > name.length() ? rest.substring(name.length() + 1) : "";
    }

    /** Finds the files below {@code refPath} that fit the pattern. */
    Future<Void> read(RefPath refPath, String pattern) {
        PathGlob glob = PathGlob.byFolder("pattern", pattern);
        String ref = UpstreamRequest.segment(refPath.ref());
        return api.json(repository, "/git/trees/" + ref + "?recursive=1", context)
                .compose(tree -> {
                    if (!tree.path("truncated").asBoolean()) {
                        tree.path("tree").forEach(entry -> take(entry, "", refPath, glob));
                        return Future.succeededFuture();
                    }
                    Deque<Folder> rest = new ArrayDeque<>(List.of(new Folder("", refPath.ref())));
                    return folders(rest, 0, refPath, glob);
                });
    }

    private Future<Void> folders(Deque<Folder> rest, int asked, RefPath refPath, PathGlob glob) {
        if (rest.isEmpty()) {
            return Future.succeededFuture();
        }
        if (asked == MAX_FOLDERS || context.cancelled() || context.remaining().compareTo(MARGIN) < 0) {
            complete = false;
            skip(
                    rest.peek().path(),
                    "and all after it: the repository is too large for one collection; name a folder with"
                            + " /tree/branch/folder",
                    SourcePermission.UNKNOWN);
            return Future.succeededFuture();
        }
        Folder folder = rest.poll();
        return api.json(repository, "/git/trees/" + UpstreamRequest.segment(folder.sha()), context)
                .compose(tree -> {
                    if (tree.path("truncated").asBoolean()) {
                        complete = false;
                        skip(folder.path(), "GitHub does not list all of this folder", SourcePermission.UNKNOWN);
                    }
                    tree.path("tree").forEach(entry -> {
                        String path = folder.path() + entry.path("path").asText();
                        if (entry.path("type").asText().equals("tree") && wanted(path, refPath)) {
                            rest.add(new Folder(path + "/", entry.path("sha").asText()));
                        } else {
                            take(entry, folder.path(), refPath, glob);
                        }
                    });
                    return folders(rest, asked + 1, refPath, glob);
                });
    }

    /** Whether a folder contains {@code refPath} or is below it, and is not left out. */
    private static boolean wanted(String path, RefPath refPath) {
        boolean near = refPath.path().isEmpty()
                || (path + "/").startsWith(refPath.path() + "/")
                || refPath.path().startsWith(path + "/");
        return near && !FolderWalk.leftOut(path.substring(path.lastIndexOf('/') + 1));
    }

    private void take(JsonNode entry, String parent, RefPath refPath, PathGlob glob) {
        String full = parent + entry.path("path").asText();
        boolean file = entry.path("type").asText().equals("blob")
                && !entry.path("mode").asText().equals("120000");
        boolean named = full.equals(refPath.path());
        if (!file || !(named || refPath.path().isEmpty() || full.startsWith(refPath.path() + "/"))) {
            return;
        }
        String path = named || refPath.path().isEmpty()
                ? full
                : full.substring(refPath.path().length() + 1);
        boolean permissions = PermissionFiles.isMeantAsOne(path);
        // The name of one for a whole folder begins with a dot.
        if (!named && leftOut(permissions ? path.substring(0, Math.max(0, path.lastIndexOf('/'))) : path)) {
            return;
        }
        if (permissions) {
            skip(
                    path,
                    "files that say who may read others are read on the gateway's host only; use front matter or"
                            + " private_allow",
                    SourcePermission.NONE);
        } else if (!named && !glob.matches(path)) {
            return;
        } else if (entry.path("size").asLong() > limits.fileBytes()) {
            skip(path, "is larger than the limit of " + limits.fileBytes() + " bytes", permission(path));
        } else if (blobs.size() >= limits.documents()) {
            complete = false;
            skip(
                    path,
                    "there is no room for more than " + limits.documents() + " documents in a collection",
                    permission(path));
        } else {
            blobs.add(new Blob(path, entry.path("sha").asText()));
        }
    }

    /** At most as many as there can be documents. */
    private void skip(String path, String reason, SourcePermission permission) {
        if (skipped.size() < limits.documents()) {
            skipped.add(new Skipped(path, reason, permission));
        } else if (!PermissionFiles.isMeantAsOne(path)) {
            // A document that is neither found nor named may still exist.
            complete = false;
        }
    }

    /** Who may read a file, as far as that is known without its content. */
    static SourcePermission permission(String path) {
        return DocumentConverter.declaresOther(path) ? SourcePermission.NONE : SourcePermission.UNKNOWN;
    }

    private static boolean leftOut(String path) {
        for (String part : path.split("/")) {
            if (FolderWalk.leftOut(part)) {
                return true;
            }
        }
        return false;
    }
}
