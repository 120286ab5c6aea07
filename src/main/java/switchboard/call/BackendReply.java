package switchboard.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import switchboard.text.SurrogatePairs;

/** The reply of a backend. JSON nodes in it must not be changed. */
public sealed interface BackendReply
        permits ToolReply,
                BackendReply.Resources,
                BackendReply.Contents,
                BackendReply.Prompts,
                BackendReply.Prompt,
                BackendReply.Completion,
                BackendReply.Sources,
                BackendReply.Passages,
                BackendReply.Documents,
                BackendReply.DocumentPart {
    /**
     * Maps this reply, which is a {@code wanted} or a failure.
     *
     * @throws IllegalStateException if it is neither, which is a defect of the backend
     */
    default <T extends BackendReply, R> R either(
            Class<T> wanted, Function<T, R> got, Function<ToolReply.Failed, R> refused) {
        if (wanted.isInstance(this)) {
            return got.apply(wanted.cast(this));
        }
        if (this instanceof ToolReply.Failed failed) {
            return refused.apply(failed);
        }
        throw new IllegalStateException("asked for " + wanted.getSimpleName() + ", a backend answered with "
                + getClass().getSimpleName());
    }

    /** One page of resources or resource templates, each an MCP object; {@code next} is the cursor of the next page. */
    record Resources(List<ObjectNode> items, @Nullable String next) implements BackendReply {
        public Resources {
            items = List.copyOf(items);
        }
    }

    /**
     * The contents of one resource, each an MCP {@code ResourceContents} object; empty if there is no such resource.
     */
    record Contents(List<ObjectNode> contents) implements BackendReply {
        public Contents {
            contents = List.copyOf(contents);
        }
    }

    /** One page of prompts, each an MCP {@code Prompt} object; {@code next} is the cursor of the next page. */
    record Prompts(List<ObjectNode> items, @Nullable String next) implements BackendReply {
        public Prompts {
            items = List.copyOf(items);
        }
    }

    /** A prompt as MCP's {@code GetPromptResult}; null if there is no such prompt. */
    record Prompt(@Nullable ObjectNode result) implements BackendReply {}

    /** Completion values (at most 100), as MCP's {@code CompleteResult.completion}. */
    record Completion(List<String> values, @Nullable Integer total, boolean hasMore) implements BackendReply {
        public Completion {
            values = List.copyOf(values);
        }
    }

    /** The sources that the caller may search. */
    record Sources(List<SearchableSource> sources) implements BackendReply {
        public Sources {
            sources = List.copyOf(sources);
        }
    }

    /**
     * The passages of a source for a query.
     *
     * @param passages best first
     * @param lacking why results may be worse than usual (for example without vectors), or null
     * @param statistics statistics of the query's words in the source, including these passages
     * @param similarWords words of the query that the source does not have, with similar ones of documents that the caller may
     *     see
     */
    record Passages(
            List<Passage> passages,
            @Nullable String lacking,
            TermStatistics statistics,
            List<SpellingSuggestion> similarWords)
            implements BackendReply {
        public Passages {
            passages = List.copyOf(passages);
            similarWords = List.copyOf(similarWords);
        }

        /** Passages of an engine without word statistics. */
        public Passages(List<Passage> passages, @Nullable String lacking) {
            this(passages, lacking, TermStatistics.NONE, List.of());
        }

        /** Passages of an engine without word statistics, which was asked with {@link SourceQuery#brief}. */
        public static Passages of(SourceQuery query, List<Passage> passages, @Nullable String lacking) {
            return of(query, query.brief(), passages, lacking);
        }

        /** Passages of an engine without word statistics, which was asked with {@code asked}, the beginning of the query. */
        public static Passages of(SourceQuery query, String asked, List<Passage> passages, @Nullable String lacking) {
            String brief = asked.length() < query.text().length()
                    ? "The query is long: its first " + asked.length() + " characters were searched."
                    : "";
            String all = lacking == null ? brief : (lacking + " " + brief).strip();
            return new Passages(passages, all.isEmpty() ? null : all);
        }
    }

    /** Some documents of a source; none if it can't list them. */
    record Documents(List<ListedDocument> documents) implements BackendReply {
        public Documents {
            documents = List.copyOf(documents);
        }
    }

    /**
     * A document of a source.
     *
     * @param stored when its present version was stored
     */
    record ListedDocument(String id, String title, Instant stored) {}

    /**
     * A part of a document.
     *
     * @param title its title
     * @param url the URL of its origin, or null
     * @param text the text of the part
     * @param totalChars length of the document in UTF-16 units
     * @param next offset of the next part, or null at the end
     * @param readers who may read the document, as its {@code allow} names them: one of each list; null if it restricts nobody
     * @param version which version of the document it is; null if the source tells none apart
     */
    record DocumentPart(
            String title,
            @Nullable String url,
            String text,
            int totalChars,
            @Nullable Integer next,
            @Nullable List<List<String>> readers,
            @Nullable DocumentVersion version)
            implements BackendReply {
        /** A part of a document that names no readers. */
        public DocumentPart(String title, @Nullable String url, String text, int totalChars, @Nullable Integer next) {
            this(title, url, text, totalChars, next, null, null);
        }

        /** The same of a document that {@code allowed} may read. */
        public DocumentPart readableBy(@Nullable List<List<String>> allowed) {
            return new DocumentPart(title, url, text, totalChars, next, allowed, version);
        }

        /** A part of this part, which is the whole document. */
        public DocumentPart cut(int offset, int maxChars) {
            DocumentPart cut = of(title, url, text, offset, maxChars);
            return new DocumentPart(title, url, cut.text, cut.totalChars, cut.next, readers, version);
        }

        /** The same of this version of the document. */
        public DocumentPart of(DocumentVersion which) {
            return new DocumentPart(title, url, text, totalChars, next, readers, which);
        }

        /**
         * The part of {@code text} from {@code offset} on, at most {@code maxChars} long. Surrogate pairs are not
         * split.
         */
        public static DocumentPart of(String title, @Nullable String url, String text, int offset, int maxChars) {
            int start = SurrogatePairs.after(text, Math.min(offset, text.length()));
            int end = SurrogatePairs.after(text, (int) Math.min(text.length(), (long) start + maxChars));
            return new DocumentPart(
                    title, url, text.substring(start, end), text.length(), end < text.length() ? end : null);
        }
    }
}
