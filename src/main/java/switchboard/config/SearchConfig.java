package switchboard.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Settings of {@code search_everywhere} and the other tools that search all backends. */
public record SearchConfig(
        @Default("5s")
        @AllowedRange(min = "50ms", max = "60s")
        @Doc("Time limit for all sources, unless the call sets another.")
        Duration deadline,

        @Default("50") @AllowedRange(min = "1", max = "100") @Doc("How many passages are requested from each source.")
        int candidates,

        @Default("64") @AllowedRange(min = "1", max = "1000") @Doc("Maximum number of sources in one search.")
        int maxSources,

        @Doc("How the results of the sources are ranked.") Fusion fusion,

        @Doc(
                "What happens to hits of `search_everywhere` with a mark, by its kind: `mark` shows them with it, `demote` moves"
                        + " them behind all others, `hide` leaves them out; the answer says how many.")
        Signals signals,

        @Doc("Declarations of sources: by `<backend>:<source>`, or by `<backend>` for all"
                + " its sources without a declaration of their own.")
        Map<String, SourceConfig> sources) {
    public SearchConfig {
        sources = Collections.unmodifiableMap(new LinkedHashMap<>(sources));
    }

    /** How the results of several sources are ranked. */
    public record Fusion(
            @Default("linear")
            @Doc(
                    "`linear`: cosine of the passage's vector and the query's, and keyword score, added with weights. `rrf`:"
                            + " reciprocal rank fusion, which uses ranks only.")
            Method method,

            @Default("0.7")
            @AllowedRange(min = "0", max = "1")
            @Doc("The cosine's weight with `linear`; keywords have the rest.")
            double similarity,

            @Default("60")
            @AllowedRange(min = "1", max = "1000")
            @Doc("The constant of `rrf`: a rank is worth 1 / (constant + rank).")
            int constant) {
        /** The fusion method. */
        public enum Method {
            /** A weighted sum of scores. */
            LINEAR,
            /** Reciprocal rank fusion, which uses ranks only. */
            RRF
        }
    }

    /** What happens to marked hits. Component names are the kinds on the wire. */
    public record Signals(
            @Default("mark") @Doc("Phrases that tell an assistant what to do.")
            Treatment instructions,

            @Default("mark") @Doc("Text that people do not see.")
            Treatment hidden_text,

            @Default("mark") @Doc("Characters that are not seen, where the script needs none.")
            Treatment invisible_characters,

            @Default("mark") @Doc("Characters that change the order of the text.")
            Treatment bidi_controls,

            @Default("mark") @Doc("Links that lead elsewhere than they look.")
            Treatment lookalike_link) {
        /** What happens to a hit. */
        public enum Treatment {
            /** It is shown with its mark. */
            MARK,
            /** It is shown behind all others. */
            DEMOTE,
            /** It is left out and counted. */
            HIDE
        }
    }

    /** A source. */
    public record SourceConfig(
            @Default("1") @AllowedRange(min = "0", max = "100") @Doc("Factor for its scores.")
            double weight,

            @Doc("What it contains, for agents that choose sources.") @Nullable
            String description,

            @Doc("The field with a document's text, if it can't be found by its name. A name that begins with `/` is a"
                    + " JSON pointer, such as `/body/plain`.")
            @Nullable
            String text,

            @Doc("The field with a document's title.") @Nullable
            String title,

            @Doc("The field with a document's URL.") @Nullable
            String url,

            @Doc("The entry of `embedders:` that made the vectors of its documents, if it is not the backend's own; the"
                    + " backend's tools use it, too.")
            @Nullable
            String embedder,

            @Doc(
                    "For a relayed MCP server (`type: mcp`): the tool of the server that searches this source. Callers need"
                            + " the verb `search` and the source's name in their grants, and not the tool itself. A relayed server"
                            + " without such a declaration is not asked, because a question is data that leaves.")
            @Nullable
            SearchTool tool,

            @Doc("For a relayed MCP server: how `fetch_document` reads a document. Without it, ids that are URIs of the"
                    + " server's resources are read as resources, and others can't be read.")
            @Nullable
            DocumentReader document) {
        public SourceConfig {
            if (document != null && tool == null) {
                throw new IllegalArgumentException("document needs a tool that finds documents");
            }
        }
    }

    /** A tool of a relayed server that searches. */
    public record SearchTool(
            @Doc("Its name at the server.") String name,

            @Default("query") @Doc("Its argument for the question.")
            String query,

            @Doc("Its argument for the number of results, if it has one.") @Nullable
            String limit,

            @Doc("Other arguments, always the same.") Map<String, JsonNode> arguments,

            @Doc("JSON pointer to the list of results in the JSON of the answer, such as `/results`. Without it, each"
                    + " text, resource and resource link in the answer is a result.")
            @Nullable
            String results,

            @Doc("JSON pointer to the document's id in a result. Without it, its URL is the id.") @Nullable
            String id,

            @Doc("JSON pointer to the score in a result. It is shown, and does not decide the rank.") @Nullable
            String score) {
        public SearchTool {
            arguments = Map.copyOf(arguments);
            PointerText.check("results", results);
            PointerText.check("id", id);
            PointerText.check("score", score);
        }
    }

    /** How a document of a relayed server is read: by a tool, or as a resource. */
    public record DocumentReader(
            @Doc("The name of a tool that returns a whole document. Either this or `resource`.") @Nullable
            String tool,

            @Default("id") @Doc("Its argument for the id.") String argument,

            @Doc("Other arguments, always the same.") Map<String, JsonNode> arguments,

            @Doc(
                    "JSON pointer to the document in the JSON of the answer; by default all of it. An answer without JSON is"
                            + " the text itself.")
            @Nullable
            String result,

            @Doc("The field with the text, or a JSON pointer to it, if it can't be found by its name.") @Nullable
            String text,

            @Doc("The same of the title.") @Nullable String title,

            @Doc("The same of the URL.") @Nullable String url,

            @Doc("The URI of the resource with the document's text, such as `wiki://pages/{id}`; an id with a"
                    + " slash needs `{+id}`.")
            @Nullable
            String resource) {
        /** The place of the id in a URI, and the same without encoding slashes (RFC 6570, sections 3.2.2 and 3.2.3). */
        public static final Pattern PLACE = Pattern.compile("\\{(\\+?)id}");

        public DocumentReader {
            arguments = Map.copyOf(arguments);
            PointerText.check("result", result);
            if ((tool == null) == (resource == null)) {
                throw new IllegalArgumentException("needs either tool or resource");
            }
            if (resource != null
                    && !(arguments.isEmpty() && result == null && text == null && title == null && url == null)) {
                throw new IllegalArgumentException("arguments, result, text, title and url are for tool");
            }
            if (resource != null
                    && (!PLACE.matcher(resource).find() || !resource.matches("[A-Za-z][A-Za-z0-9+.-]*:/*[^/{].*"))) {
                throw new IllegalArgumentException(
                        "resource must be a URI with {id} or {+id} after its beginning, such as wiki://pages/{id}");
            }
        }
    }
}
