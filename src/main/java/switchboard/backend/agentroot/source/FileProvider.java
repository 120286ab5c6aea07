package switchboard.backend.agentroot.source;

import io.vertx.core.Future;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import switchboard.call.CallContext;
import switchboard.call.Json;
import switchboard.call.Verb;

/** Files below the operator's roots. A path that is a file is a collection of that one. */
public final class FileProvider implements DocumentProvider {
    private final FileTree tree;
    private final String type;
    private final String defaultPattern;
    private final Predicate<String> kind;

    private FileProvider(FileTree tree, String type, String defaultPattern, Predicate<String> kind) {
        this.tree = tree;
        this.type = type;
        this.defaultPattern = defaultPattern;
        this.kind = kind;
    }

    /** Files of every kind: {@code file}. */
    public static FileProvider all(FileTree tree) {
        return new FileProvider(tree, "file", "**/*.md", _ -> true);
    }

    /** PDF files alone: {@code pdf}. */
    public static FileProvider pdf(FileTree tree) {
        return new FileProvider(
                tree, "pdf", "**/*.pdf", path -> path.toLowerCase(Locale.ROOT).endsWith(".pdf"));
    }

    @Override
    public String type() {
        return type;
    }

    @Override
    public String defaultPattern() {
        return defaultPattern;
    }

    @Override
    public Set<String> options() {
        return FileTree.OPTIONS;
    }

    @Override
    public Verb verb() {
        return Verb.FILES;
    }

    @Override
    public Future<CollectionOrigin> check(CollectionOrigin origin, CallContext context) {
        return tree.check(origin, context);
    }

    @Override
    public Future<Void> find(CollectionOrigin origin, CallContext context) {
        return tree.find(origin, context);
    }

    @Override
    public Future<List<Skipped>> unmounted(CollectionOrigin origin, Collection<String> gone, CallContext context) {
        return tree.unmounted(origin, gone, context);
    }

    @Override
    public Future<Scan> scan(CollectionOrigin origin, CallContext context) {
        FilePermissions permissions = tree.permissions(origin);
        return tree.list(origin, kind, context)
                .map(found -> new Scan(
                        found.files().stream()
                                .<SourceDocument>map(file -> new FileDocument(file.path(), file.file(), permissions))
                                .toList(),
                        found.skipped(),
                        found.complete()));
    }

    private final class FileDocument implements SourceDocument {
        private final String path;
        private final Path file;
        private final FilePermissions permissions;

        FileDocument(String path, Path file, FilePermissions permissions) {
            this.path = path;
            this.file = file;
            this.permissions = permissions;
        }

        @Override
        public Future<SourcePermission> permission() {
            return tree.run(() -> permissions.withFrontMatter(file, path));
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public Future<RawContent> load() {
            return tree.run(() -> {
                FileTree.ReadFile read = tree.read(file, permissions);
                return new RawContent(read.bytes(), path, null, null, null, read.modified(), Json.object())
                        .with(read.permission());
            });
        }
    }
}
