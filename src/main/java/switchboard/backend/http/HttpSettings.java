package switchboard.backend.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.PointerText;
import switchboard.config.Secret;
import switchboard.config.SourceName;
import switchboard.upstream.OAuthSettings;
import switchboard.upstream.UpstreamSettings;

/** The section of a backend of type {@code http}. */
public record HttpSettings(
        @Doc("The server's URL, with the path that all requests begin with.")
        URI url,

        @Doc("Headers sent with every request, such as one with a key. Their values are secrets.")
        Map<String, Secret> headers,

        @Doc("Tokens of an authorization server, for the gateway or for each caller.") @Nullable
        OAuthSettings oauth,

        @Doc("What `search_everywhere` finds there, by name.")
        Map<String, SourceSettings> sources,

        @Doc("Timeouts, pool, retries, TLS, proxy.") UpstreamSettings connection) {
    /** The characters of a URL's path and query (RFC 3986). */
    private static final Pattern URI_CHARACTERS = Pattern.compile("[A-Za-z0-9._~:/?@!$&'()*+,;=%-]*");

    public HttpSettings {
        headers = Map.copyOf(headers);
        sources = Map.copyOf(sources);
        sources.keySet().stream()
                .flatMap(name -> SourceName.problem(name).stream())
                .forEach(problem -> {
                    throw new IllegalArgumentException(problem);
                });
        if (sources.isEmpty()) {
            throw new IllegalArgumentException("needs sources: without one nothing is ever asked");
        }
    }

    /** A source: the request that searches it, where its answer has the results, and how a document is read. */
    public record SourceSettings(
            @Doc("What it contains, for agents that choose sources.") @Nullable
            String description,

            @Doc(
                    "The request that searches: `{query}` stands for the question, `{quoted}` for the question in quotation"
                            + " marks (for query languages in which a backslash escapes a quotation mark), `{limit}` for the number of results.")
            RequestSettings search,

            @Doc("Where the results are in the answer.") ResultSettings results,

            @Doc("How `fetch_document` reads a document. Without it, none can be read.") @Nullable
            DocumentSettings document) {
        public SourceSettings {
            search.checkPath(RequestTemplate.QUERY, RequestTemplate.QUOTED, RequestTemplate.LIMIT);
            if (!search.mentions(RequestTemplate.QUERY) && !search.mentions(RequestTemplate.QUOTED)) {
                throw new IllegalArgumentException("search must have {query} or {quoted} in its path or body");
            }
        }
    }

    /** Where results are in an answer. */
    public record ResultSettings(
            @Doc("JSON pointer to the list of results in the answer, such as `/hits/hits`.")
            String list,

            @Doc("JSON pointer to the document's id in a result. Without it, its URL is the id.") @Nullable
            String id,

            @Doc("JSON pointer to the score in a result. It is shown, and does not decide the rank.") @Nullable
            String score,

            @Doc("The field with the text, or a JSON pointer to it, if it can't be found by its name.") @Nullable
            String text,

            @Doc("The same of the title.") @Nullable String title,

            @Doc("The same of the URL.") @Nullable String url) {
        public ResultSettings {
            PointerText.check("list", list);
            PointerText.check("id", id);
            PointerText.check("score", score);
        }
    }

    /** How a document is read: by a request of its own, whose answer is the document or contains it. */
    public record DocumentSettings(
            @Doc("The request; `{id}` stands for the document's id.")
            RequestSettings request,

            @Doc(
                    "JSON pointer to the document in the answer; by default all of it. An answer in plain text or Markdown is"
                            + " the text itself.")
            @Nullable
            String result,

            @Doc("The field with the text, or a JSON pointer to it, if it can't be found by its name.") @Nullable
            String text,

            @Doc("The same of the title.") @Nullable String title,

            @Doc("The same of the URL.") @Nullable String url) {
        public DocumentSettings {
            PointerText.check("result", result);
            request.checkPath(RequestTemplate.ID);
            if (!request.mentions(RequestTemplate.ID)) {
                throw new IllegalArgumentException("request must have {id} in its path or body");
            }
        }
    }

    /** A request, in whose path and body names in braces are places for values. */
    public record RequestSettings(
            @Default("get") @Doc("`get`, or `post` for a search with a body.")
            Method method,

            @Doc("Path and query, relative to `url`. What takes the place of a name in braces is percent-encoded.")
            String path,

            @Doc("For `post`: the JSON to send. In its texts, names in braces are replaced.") @Nullable
            JsonNode body) {
        public RequestSettings {
            if (!path.startsWith("/")) { // otherwise it would lengthen the host
                throw new IllegalArgumentException("path must begin with /");
            }
            if ((method == Method.POST) != (body != null)) {
                throw new IllegalArgumentException("body is for method post, which needs one");
            }
        }

        boolean mentions(String name) {
            return path.contains(name) || (body != null && mentions(body, name));
        }

        private static boolean mentions(JsonNode node, String name) {
            if (node.isTextual()) {
                return node.asText().contains(name);
            }
            for (JsonNode part : node) {
                if (mentions(part, name)) {
                    return true;
                }
            }
            return false;
        }

        /** Checks that no other names in braces are in the path than {@code names}. */
        void checkPath(String... names) {
            String rest = path;
            for (String name : names) {
                rest = rest.replace(name, "");
            }
            if (!URI_CHARACTERS.matcher(rest).matches()) {
                throw new IllegalArgumentException(
                        "path may have the characters of a URL, and " + String.join(", ", names) + ": " + path);
            }
        }
    }

    /** The HTTP methods. All requests only read, so both may be repeated. */
    public enum Method {
        GET,
        POST
    }
}
