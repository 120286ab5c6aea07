package switchboard.backend.vectordb;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import switchboard.convert.RawDocument;
import switchboard.fetch.HttpValidators;
import switchboard.store.AllowedReaders;

/** The result of reading a source. */
sealed interface FetchedSource permits FetchedSource.Unchanged, FetchedSource.SourceContent, PermittedContent {
    /** The source has not changed since the stored version. */
    record Unchanged() implements FetchedSource {}

    /** New content. It may still equal that of the stored version. */
    sealed interface SourceContent extends FetchedSource {
        /** The bytes whose hash identifies the version; must not be changed. */
        byte[] bytes();

        /** The kind of the source, for display and filters. */
        String fileType();

        /** When the source was last modified, ISO-8601, or null. */
        @Nullable
        String lastModified();

        /** Who may read it, by files beside it. */
        AllowedReaders readers();

        /** The same with another text instead; {@code text} is without line ends of other systems. */
        SourceContent withText(String text);

        /** The caller's title, or null to use the document's own. */
        @Nullable
        String title();

        /** What to send with the next request, so that the server can answer that nothing has changed. */
        HttpValidators validators();
    }

    /** A file or web page. */
    record Document(
            RawDocument content,
            String fileType,
            @Nullable String lastModified,
            AllowedReaders readers,
            HttpValidators validators)
            implements SourceContent {
        @Override
        public SourceContent withText(String text) {
            return new Document(content.withText(text), fileType, lastModified, readers, validators);
        }

        @Override
        public byte[] bytes() {
            return content.bytes();
        }

        @Override
        public @Nullable String title() {
            return null;
        }
    }

    /** Markdown or text from the caller. */
    record CallerText(String text, @Nullable String title) implements SourceContent {
        @Override
        public byte[] bytes() {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String fileType() {
            return "text";
        }

        @Override
        public AllowedReaders readers() {
            return AllowedReaders.ALL;
        }

        @Override
        public SourceContent withText(String other) {
            return new CallerText(other, title);
        }

        @Override
        public HttpValidators validators() {
            return HttpValidators.NONE;
        }

        @Override
        public @Nullable String lastModified() {
            return null;
        }
    }
}
