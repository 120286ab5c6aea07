package switchboard.backend.vectordb;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import switchboard.convert.RawDocument;

/** What a source gave when it was asked for its content. */
sealed interface FetchedSource {
    /** The source says that nothing changed since the version that is stored. */
    record Unchanged() implements FetchedSource {}

    /** Content, which may or may not be that of the stored version. */
    sealed interface SourceContent extends FetchedSource {
        /** The bytes that identify a version; must not be changed. */
        byte[] bytes();

        /** The kind of the source, for display and filters. */
        String fileType();

        /** When the source was last modified, ISO-8601, or null. */
        @Nullable
        String lastModified();

        /** What the caller calls it, or null to take the document's own title. */
        @Nullable
        String title();
    }

    /** A file or page in some format. */
    record Document(
            RawDocument content, String fileType, @Nullable String lastModified) implements SourceContent {
        @Override
        public byte[] bytes() {
            return content.bytes();
        }

        @Override
        public @Nullable String title() {
            return null;
        }
    }

    /** Markdown or text that the caller sent. */
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
        public @Nullable String lastModified() {
            return null;
        }
    }
}
