package switchboard.testing;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ResourceProvider;
import switchboard.call.BackendReply;
import switchboard.call.CallContext;
import switchboard.call.Json;

/** One text, one binary, and a template {@code toy://greeting/{name}}. */
final class ToyResources implements ResourceProvider {
    private static final String TEXT = "toy://text";
    private static final String BINARY = "toy://binary";
    private static final String GREETING = "toy://greeting/";

    @Override
    public Future<BackendReply.Resources> list(@Nullable String cursor, CallContext context) {
        return Future.succeededFuture(new BackendReply.Resources(
                List.of(
                        resource(TEXT, "text").put("mimeType", "text/plain"),
                        resource(BINARY, "binary").put("mimeType", "application/octet-stream")),
                null));
    }

    @Override
    public Future<BackendReply.Resources> templates(@Nullable String cursor, CallContext context) {
        return Future.succeededFuture(new BackendReply.Resources(
                List.of(Json.object()
                        .put("uriTemplate", GREETING + "{name}")
                        .put("name", "greeting")
                        .put("description", "A greeting.")),
                null));
    }

    @Override
    public boolean owns(String uri) {
        return uri.startsWith("toy://");
    }

    @Override
    public Future<BackendReply.Contents> read(String uri, CallContext context) {
        List<ObjectNode> contents =
                switch (uri) {
                    case TEXT ->
                        List.of(Json.object()
                                .put("uri", uri)
                                .put("mimeType", "text/plain")
                                .put("text", "Hello, wörld."));
                    case BINARY ->
                        List.of(Json.object()
                                .put("uri", uri)
                                .put("mimeType", "application/octet-stream")
                                .put("blob", "AAECAw=="));
                    default ->
                        uri.startsWith(GREETING)
                                ? List.of(Json.object()
                                        .put("uri", uri)
                                        .put("mimeType", "text/plain")
                                        .put("text", "Hello, " + uri.substring(GREETING.length()) + "."))
                                : List.of();
                };
        return Future.succeededFuture(new BackendReply.Contents(contents));
    }

    @Override
    public Future<BackendReply.Completion> complete(
            String template, String argument, String value, CallContext context) {
        List<String> names = Stream.of("ada", "alan", "grace")
                .filter(name -> name.startsWith(value))
                .toList();
        return Future.succeededFuture(new BackendReply.Completion(names, names.size(), false));
    }

    private static ObjectNode resource(String uri, String name) {
        return Json.object().put("uri", uri).put("name", name).put("description", "The toy's " + name + ".");
    }
}
