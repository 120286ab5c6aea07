package switchboard.backend.agentroot;

import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import switchboard.backend.agentroot.UpdateCounts.Change;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.backend.agentroot.source.SourcePermission;
import switchboard.backend.embedded.ConflictRetry;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.concurrent.KeyedSerialExecutor;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentAccess;
import switchboard.store.DocumentDescription;
import switchboard.store.DocumentStore;
import switchboard.store.DocumentText;
import switchboard.store.MetadataRow;
import switchboard.store.Namespace;
import switchboard.store.StoredDocument;

/**
 * Who may read the documents of a collection, besides who may see the collection. A change of it embeds nothing.
 *
 * @param store all documents
 * @param writes the changes of a document take turns
 */
record DocumentPermissions(DocumentStore store, Namespace namespace, KeyedSerialExecutor<DocumentWriteKey> writes) {
    /** What is stored of a document as its content, with what its provider says of its readers. */
    static SourceDocument.RawContent stored(DocumentText document, SourcePermission permission) {
        return new SourceDocument.RawContent(
                document.text().getBytes(StandardCharsets.UTF_8),
                document.document().source(),
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
                && (version.isEmpty() || DocumentMetadata.permissionWasRead(stored));
        if (same) {
            return Future.succeededFuture(UpdateCounts.DocumentOutcome.unchanged(allow));
        }
        Change change = stored.allow().equals(allow) ? Change.UNCHANGED : Change.CHANGED;
        return described(stored, allow, version)
                .map(_ -> new UpdateCounts.DocumentOutcome(change, stored.allow(), allow));
    }

    /** The failure of a change of a document that is another one by now, or gone: whoever made it looks again. */
    static ToolException changed() {
        return new ToolException(
                FailureKind.CONFLICT, "The document was changed at the same time; nothing was changed. Try again.");
    }

    private Future<StoredDocument> described(StoredDocument stored, AllowedReaders allow, String version) {
        String foundBy = WeightedSearchText.words(DocumentMetadata.list(stored, "named"), UserMetadata.of(stored));
        return store.describe(
                        stored,
                        new DocumentDescription(
                                stored.title(),
                                DocumentMetadata.withVersion(stored, version),
                                AllowedReaders.ALL,
                                allow,
                                foundBy))
                .map(found -> found.orElseThrow(DocumentPermissions::changed));
    }

    /** Keeps those from the stored document at {@code path} who are not among {@code allow}. Empty if there is none. */
    Future<Optional<UpdateCounts.DocumentOutcome>> narrow(String path, AllowedReaders allow) {
        return writes.run(
                new DocumentWriteKey(namespace, path),
                () -> ConflictRetry.run(() -> store.find(namespace, path).compose(found -> found.map(
                                stored -> narrowed(stored, allow).map(Optional::of))
                        .orElseGet(() -> Future.succeededFuture(Optional.empty())))));
    }

    private Future<UpdateCounts.DocumentOutcome> narrowed(StoredDocument stored, AllowedReaders allow) {
        AllowedReaders narrow = stored.allow().narrowedBy(allow);
        return narrow.equals(stored.allow())
                ? Future.succeededFuture(UpdateCounts.DocumentOutcome.unchanged(narrow))
                // Without a version it is read again as soon as it can be.
                : described(stored, narrow, "")
                        .map(_ -> new UpdateCounts.DocumentOutcome(Change.CHANGED, stored.allow(), narrow));
    }

    /** Who was meant to read a document that is for nobody because its permission was wrong. */
    static AllowedReaders intended(AllowedReaders stored) {
        return new AllowedReaders(stored.places().stream()
                .filter(names -> !AllowedReaders.NOBODY.places().contains(names))
                .toList());
    }

    /** Those of {@code paths} at or below which {@code access} permits to read something of what is stored. */
    Future<Set<String>> readable(Set<String> paths, DocumentAccess access) {
        if (paths.isEmpty()) {
            return Future.succeededFuture(Set.of());
        }
        return store.seenBy(access)
                .facts(
                        namespace,
                        Set.of(),
                        Collectors.flatMapping(
                                document -> above(document.source()).stream().filter(paths::contains),
                                Collectors.toSet()));
    }

    /** The stored documents at and below the paths of {@code readers}, each with all of their readers. */
    Future<Map<String, AllowedReaders>> below(Map<String, AllowedReaders> readers) {
        if (readers.isEmpty()) {
            return Future.succeededFuture(Map.of());
        }
        return store.facts(
                namespace,
                Set.of(),
                Collectors.filtering(
                        document -> above(document.source()).stream().anyMatch(readers::containsKey),
                        Collectors.toMap(MetadataRow::source, document -> above(document.source()).stream()
                                .filter(readers::containsKey)
                                .map(readers::get)
                                .reduce(AllowedReaders.ALL, AllowedReaders::narrowedBy))));
    }

    private static List<String> above(String path) {
        List<String> all = new ArrayList<>();
        for (String at = path; !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('/')))) {
            all.add(at);
        }
        return all;
    }
}
