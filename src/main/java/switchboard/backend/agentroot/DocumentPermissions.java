package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.UpdateCounts.Change;
import switchboard.backend.agentroot.source.DocumentProvider.Skipped;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.backend.agentroot.source.SourcePermission;
import switchboard.backend.embedded.FrontMatterPermission;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.convert.DocumentConverter;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentDescription;
import switchboard.store.DocumentStore;
import switchboard.store.DocumentText;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/**
 * Who may read the documents of a collection, besides who may see the collection. A change of it embeds nothing.
 *
 * @param store all documents
 */
record DocumentPermissions(DocumentStore store, Namespace namespace) {
    /**
     * {@code content} for those who may read it as its provider and itself say, without what it says of them. Blocks.
     *
     * @throws ToolException if one of them can't be understood: then nobody may
     */
    static SourceDocument.RawContent of(SourceDocument.RawContent content, DocumentConverter converter) {
        SourceDocument.RawContent rest = content;
        SourcePermission permission = content.permission();
        Optional<String> text = converter.prose(content.raw());
        if (text.isPresent()) {
            try {
                FrontMatterPermission own = FrontMatterPermission.of(text.get());
                permission = permission.and(own::readers);
                // Another permission is no other text: nothing is embedded again.
                rest = own.text().equals(text.get())
                        ? content
                        : content.with(content.raw().withText(own.text()));
            } catch (IllegalArgumentException e) {
                throw wrong(e.getMessage());
            }
        }
        if (permission.wrong() != null) {
            throw wrong(permission.wrong());
        }
        return rest.permitted(permission);
    }

    private static ToolException wrong(@Nullable String why) {
        return new ToolException(FailureKind.INVALID_ARGUMENT, "is left out: " + why);
    }

    /** What is stored of a document as its content, with what its provider says of its readers. */
    static SourceDocument.RawContent stored(
            StoredDocument document, Optional<DocumentText> text, SourcePermission permission) {
        return new SourceDocument.RawContent(
                text.map(DocumentText::text).orElse("").getBytes(StandardCharsets.UTF_8),
                document.source(),
                null,
                null,
                null,
                null,
                Json.object(),
                permission);
    }

    /** Gives a stored document, whose content is the same, the readers that it has now. */
    Future<UpdateCounts.DocumentOutcome> set(StoredDocument stored, AllowedReaders allow, String version) {
        boolean same = stored.allow().equals(allow)
                && DocumentMetadata.text(stored, "version").equals(version)
                && (version.isEmpty() || DocumentMetadata.permitted(stored));
        if (same) {
            return Future.succeededFuture(UpdateCounts.DocumentOutcome.unchanged(allow));
        }
        Change change = stored.allow().equals(allow) ? Change.UNCHANGED : Change.CHANGED;
        return described(stored, allow, version).map(_ -> new UpdateCounts.DocumentOutcome(change, stored.allow(), allow));
    }

    private Future<Optional<StoredDocument>> described(StoredDocument stored, AllowedReaders allow, String version) {
        String foundBy = WeightedSearchText.words(
                stored.title(), DocumentMetadata.list(stored, "named"), UserMetadata.of(stored));
        return store.describe(
                List.of(namespace),
                stored.id(),
                new DocumentDescription(stored.title(), DocumentMetadata.permitted(stored, version), allow, foundBy));
    }

    /** Keeps those from the stored document at {@code path} who are not among {@code allow}. Empty if there is none. */
    Future<Optional<UpdateCounts.DocumentOutcome>> narrow(String path, AllowedReaders allow) {
        return store.find(namespace, path).compose(found -> {
            if (found.isEmpty()) {
                return Future.succeededFuture(Optional.empty());
            }
            StoredDocument stored = found.get();
            AllowedReaders narrow = stored.allow().narrowedBy(allow);
            return narrow.equals(stored.allow())
                    ? Future.succeededFuture(Optional.of(UpdateCounts.DocumentOutcome.unchanged(narrow)))
                    : described(stored, narrow, DocumentMetadata.text(stored, "version"))
                            .map(_ -> Optional.of(new UpdateCounts.DocumentOutcome(Change.CHANGED, stored.allow(), narrow)));
        });
    }

    /** Those of the paths of {@code skipped} at and below which {@code access} permits to read nothing of what is stored. */
    Future<Set<String>> hidden(List<Skipped> skipped, DocumentAccess access) {
        Set<String> paths = skipped.stream().map(Skipped::path).collect(Collectors.toSet());
        if (paths.isEmpty() || access instanceof DocumentAccess.Everything) {
            return Future.succeededFuture(Set.of());
        }
        return stored(store, paths)
                .compose(all -> stored(store.seenBy(access), paths).map(seen -> {
                    all.removeAll(seen);
                    return all;
                }));
    }

    /** Those of {@code paths} at or below which {@code readable} has documents. */
    private Future<Set<String>> stored(DocumentStore readable, Set<String> paths) {
        return readable.facts(
                namespace,
                Set.of(),
                Collectors.flatMapping(
                        document -> above(document.source()).stream().filter(paths::contains),
                        Collectors.toCollection(HashSet::new)));
    }

    private static List<String> above(String path) {
        List<String> all = new java.util.ArrayList<>();
        for (String at = path; !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('/')))) {
            all.add(at);
        }
        return all;
    }
}
