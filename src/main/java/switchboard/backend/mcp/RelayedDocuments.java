package switchboard.backend.mcp;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.Arrays;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import switchboard.backend.DeclaredSources;
import switchboard.backend.FieldGuesser;
import switchboard.backend.HitReader;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.NamedFields;
import switchboard.call.RelayedReply;
import switchboard.call.ToolException;
import switchboard.config.SearchConfig;
import switchboard.text.PercentEncoding;

/** Reads documents of a server as the operator has declared it. Thread-safe. */
final class RelayedDocuments {
    private final DeclaredSources<?> declared;
    private final ToolCalls tools;
    private final UpstreamResources resources;

    /** Calls a tool of the server; fails with {@link ToolException}. */
    @FunctionalInterface
    interface ToolCalls {
        Future<ToolAnswer> call(String tool, ObjectNode arguments, CallContext context);
    }

    RelayedDocuments(DeclaredSources<?> declared, ToolCalls tools, UpstreamResources resources) {
        this.declared = declared;
        this.tools = tools;
        this.resources = resources;
    }

    /** A part of the document; {@code NOT_FOUND} if it can't be read. */
    Future<BackendReply.DocumentPart> read(
            SearchConfig.@Nullable DocumentReader reader, BackendRequest.ReadDocument request, CallContext context) {
        String id = request.document();
        if (HitReader.isDigest(id)) {
            return Future.failedFuture(declared.unreadable(request.source()));
        }
        if (reader == null) {
            // The caller may read the server's resources as far as its own grants for them go.
            return resources.owns(id)
                    ? text(resources.read(id, new QuietCallContext(context)), id, request)
                    : Future.failedFuture(declared.unreadable(request.source()));
        }
        return reader.tool() == null
                ? byTemplate(String.valueOf(reader.resource()), request, context)
                : byTool(reader.tool(), reader, request, context);
    }

    private Future<BackendReply.DocumentPart> byTool(
            String tool, SearchConfig.DocumentReader reader, BackendRequest.ReadDocument request, CallContext context) {
        ObjectNode arguments = Json.object();
        arguments.setAll(reader.arguments());
        arguments.put(reader.argument(), request.document());
        return tools.call(tool, arguments, context).map(answer -> part(answer, reader, request));
    }

    private BackendReply.DocumentPart part(
            ToolAnswer answer, SearchConfig.DocumentReader reader, BackendRequest.ReadDocument request) {
        NamedFields named = new NamedFields(reader.text(), reader.title(), reader.url());
        int offset = request.offset();
        int maxChars = request.maxChars();
        JsonNode found = answer.at(JsonPointer.compile(Objects.requireNonNullElse(reader.result(), "")));
        if (found instanceof ObjectNode document
                && !new FieldGuesser(document, named).text().isEmpty()) {
            return new FieldGuesser(document, named).part(offset, maxChars);
        }
        String text = found.isTextual() ? found.asText() : reader.result() == null ? answer.text() : "";
        if (text.isEmpty()) {
            throw new ToolException(
                    FailureKind.NOT_FOUND,
                    declared.backend()
                            + " gave no text for this document. If it should have one, the operator has to check"
                            + " the declaration of the document.");
        }
        return BackendReply.DocumentPart.of("", null, text, offset, maxChars);
    }

    private Future<BackendReply.DocumentPart> byTemplate(
            String template, BackendRequest.ReadDocument request, CallContext context) {
        Matcher places = SearchConfig.DocumentReader.PLACE.matcher(template);
        String uri = places.replaceAll(place -> Matcher.quoteReplacement(
                place.group(1).isEmpty() ? PercentEncoding.of(request.document()) : parts(request.document())));
        return UpstreamResources.ambiguous(uri)
                ? Future.failedFuture(declared.missing(request))
                : text(resources.fetch(uri, new QuietCallContext(context)), null, request);
    }

    private static String parts(String path) {
        return Arrays.stream(path.split("/", -1)).map(PercentEncoding::of).collect(Collectors.joining("/"));
    }

    private Future<BackendReply.DocumentPart> text(
            Future<? extends BackendReply> read, @Nullable String url, BackendRequest.ReadDocument request) {
        return read.map(reply -> {
            if (reply instanceof RelayedReply) {
                throw new ToolException(
                        FailureKind.UNAVAILABLE, declared.backend() + " has questions before it gives this document.");
            }
            return reply.<BackendReply.Contents, BackendReply.DocumentPart>either(
                    BackendReply.Contents.class, contents -> part(contents, url, request), failed -> {
                        throw new ToolException(failed);
                    });
        });
    }

    private BackendReply.DocumentPart part(
            BackendReply.Contents contents, @Nullable String url, BackendRequest.ReadDocument request) {
        if (contents.contents().isEmpty()) {
            throw declared.missing(request);
        }
        String text = contents.contents().stream()
                .map(content -> content.path("text").asText(""))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("\n\n"));
        return BackendReply.DocumentPart.of("", url, text, request.offset(), request.maxChars());
    }
}
