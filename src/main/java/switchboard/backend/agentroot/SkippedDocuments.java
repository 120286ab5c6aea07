package switchboard.backend.agentroot;

import static switchboard.async.Futures.also;

import io.vertx.core.Future;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import switchboard.async.Futures;
import switchboard.backend.agentroot.UpdateCounts.Change;
import switchboard.backend.agentroot.source.DocumentProvider.Scan;
import switchboard.backend.agentroot.source.DocumentProvider.Skipped;
import switchboard.backend.agentroot.source.SourceDocument;
import switchboard.backend.agentroot.source.SourcePermission;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentAccess;

/**
 * What an update leaves out. What is stored of it is for nobody who may not read it now, and only who may read it learns of
 * it.
 *
 * @param access what the caller may read
 */
record SkippedDocuments(DocumentPermissions permissions, UpdateCounts tally, DocumentAccess access) {
    /** Everything that was left out while documents were looked for. */
    Future<Void> found(Scan scan) {
        Set<String> documents = scan.items().stream().map(SourceDocument::path).collect(Collectors.toSet());
        Set<String> paths = scan.skipped().stream().map(Skipped::path).collect(Collectors.toSet());
        // A second record of the name of a document says nothing of that one.
        Map<String, AllowedReaders> narrow = scan.skipped().stream()
                .filter(one -> one.permission().readersOfStored().restricted() && !documents.contains(one.path()))
                .collect(Collectors.toMap(
                        Skipped::path, one -> one.permission().readersOfStored(), AllowedReaders::narrowedBy));
        return permissions.readable(paths, access).compose(readable -> permissions
                .below(narrow)
                .compose(stored -> Futures.oneByOne(
                        stored.entrySet().stream()
                                .filter(one -> !documents.contains(one.getKey()))
                                .iterator(),
                        one -> permissions
                                .narrow(one.getKey(), one.getValue())
                                .map(also(narrowed -> narrowed.ifPresent(this::count)))))
                .map(_ -> {
                    scan.skipped().forEach(one -> tell(one, readable.contains(one.path())));
                    return null;
                }));
    }

    /** A document that is not stored as it is now; says whether the caller learns of it. */
    Future<Boolean> one(DocumentInUpdate item, String reason) {
        return item.known()
                .map(Future::succeededFuture)
                .orElseGet(() -> item.source().permission().recover(SkippedDocuments::unknown))
                .compose(known -> permissions
                        .narrow(item.source().path(), known.readersOfStored())
                        .map(stored -> {
                            stored.ifPresent(this::count);
                            boolean readable = stored.map(UpdateCounts.DocumentOutcome::before)
                                    .filter(access::permits)
                                    .isPresent();
                            return tell(new Skipped(item.source().path(), reason, known), readable);
                        }));
    }

    private static Future<SourcePermission> unknown(Throwable failure) {
        return failure instanceof ToolException known && known.failed().kind() == FailureKind.NOT_FOUND
                ? Future.succeededFuture(SourcePermission.UNKNOWN)
                : Future.failedFuture(failure);
    }

    private void count(UpdateCounts.DocumentOutcome stored) {
        if (stored.change() != Change.UNCHANGED) {
            tally.count(stored);
        }
    }

    /** {@code readable} says whether the caller could read what is stored of it. */
    private boolean tell(Skipped one, boolean readable) {
        SourcePermission permission = one.permission();
        if (!access.permits(permission.readers())) {
            return false;
        }
        boolean unclear = permission.partial() || permission.wrong() != null;
        if (unclear && !readable) {
            return tally.skippedOfUnknownReaders(one);
        }
        tally.skipped(one);
        return true;
    }
}
