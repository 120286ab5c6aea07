package switchboard.backend.vectordb;

import org.apache.commons.codec.digest.DigestUtils;
import switchboard.backend.embedded.FrontMatterPermission;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.convert.DocumentConverter;
import switchboard.store.AllowedReaders;

/**
 * New content, apart from who may read it: so that another permission is no other content.
 *
 * @param readers who may read it, by its front matter and by files beside it
 * @param hash identifies the content
 */
record PermittedContent(FetchedSource.SourceContent content, AllowedReaders readers, String hash)
        implements FetchedSource {
    /**
     * Reads the permissions of {@code content}. Blocks: call it on an executor.
     *
     * @throws ToolException {@code INVALID_ARGUMENT} if a permission can't be read
     */
    static PermittedContent of(String source, FetchedSource.SourceContent content, DocumentConverter converter) {
        String text =
                switch (content) {
                    case FetchedSource.Document document ->
                        converter.prose(document.content()).orElse("");
                    case FetchedSource.CallerText given -> given.text();
                };
        try {
            FrontMatterPermission permission = FrontMatterPermission.of(text);
            FetchedSource.SourceContent rest =
                    permission.text().equals(text) ? content : content.withText(permission.text());
            return new PermittedContent(
                    rest, content.readers().and(permission.readers()), DigestUtils.sha256Hex(rest.bytes()));
        } catch (IllegalArgumentException e) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT, "Ingestion failed: " + source + ": " + e.getMessage() + ".");
        }
    }
}
