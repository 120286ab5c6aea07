package switchboard.backend.mcp;

import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import switchboard.backend.DeclaredSources;
import switchboard.backend.SearchProvider;
import switchboard.call.Arguments;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.EngineMessageSanitizer;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.RelayedReply;
import switchboard.call.SourceQuery;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.catalog.ToolDescriptor;
import switchboard.config.SearchConfig;

/** Searches a server by the tools that the operator has declared. Thread-safe. */
final class RelayedSources implements SearchProvider {
    private static final int LONGEST_MESSAGE = 500;
    private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,18}");

    private final String id;
    private final DeclaredSources<RelayedSource> declared;
    private final UpstreamTools tools;
    private final RelayedDocuments documents;

    private RelayedSources(
            String id, Map<String, RelayedSource> declared, UpstreamTools tools, UpstreamResources resources) {
        this.id = id;
        this.declared = new DeclaredSources<>(id, declared);
        this.tools = tools;
        this.documents = new RelayedDocuments(this.declared, this::call, resources);
    }

    /** The sources of the server {@code id}; empty if there are none. */
    static Optional<SearchProvider> of(
            String id, Map<String, RelayedSource> own, UpstreamTools tools, UpstreamResources resources) {
        return own.isEmpty() ? Optional.empty() : Optional.of(new RelayedSources(id, own, tools, resources));
    }

    @Override
    public Future<BackendReply.Sources> sources(BackendRequest.ListSources request, CallContext context) {
        return declared.list(context, source -> "What " + source.tool().name() + " of " + id + " finds");
    }

    @Override
    public Future<BackendReply.Passages> search(BackendRequest.SearchSource request, CallContext context) {
        RelayedSource source = declared.visible(request.source(), context);
        SourceQuery query = request.query();
        declared.checkUnfiltered(request.source(), query);
        SearchConfig.SearchTool tool = source.tool();
        ObjectNode arguments = Json.object();
        arguments.setAll(tool.arguments());
        arguments.put(tool.query(), query.brief());
        if (tool.limit() != null) {
            arguments.put(tool.limit(), accepted(tool, query.limit()));
        }
        return call(tool.name(), arguments, context)
                .map(answer -> BackendReply.Passages.of(
                        query,
                        source.reader().passages(results(request.source(), source, answer), query.limit()),
                        null));
    }

    /** {@code limit}, or the maximum that the tool declares. */
    private int accepted(SearchConfig.SearchTool tool, int limit) {
        return tools.published(tool.name())
                .map(descriptor -> descriptor
                        .inputSchema()
                        .path("properties")
                        .path(tool.limit())
                        .path("maximum"))
                .filter(maximum -> maximum.canConvertToInt() && maximum.asInt() >= 1)
                .map(maximum -> Math.min(limit, maximum.asInt()))
                .orElse(limit);
    }

    private List<ObjectNode> results(String name, RelayedSource source, ToolAnswer answer) {
        return source.results(answer)
                .orElseThrow(() ->
                        declared.noResults(name, String.valueOf(source.tool().results())));
    }

    @Override
    public Future<BackendReply.DocumentPart> read(BackendRequest.ReadDocument request, CallContext context) {
        return documents.read(declared.visible(request.source(), context).document(), request, context);
    }

    /** Calls a tool without asking the client anything. Fails with {@link ToolException}. */
    private Future<ToolAnswer> call(String tool, ObjectNode arguments, CallContext context) {
        Optional<ToolDescriptor> published = tools.published(tool);
        if (published.isEmpty()) {
            throw new ToolException(
                    FailureKind.UNAVAILABLE,
                    id + " offers no tool " + tool + " now, or it is withheld until the operator has looked at it.");
        }
        return tools.call(
                        tool,
                        Arguments.of(typed(arguments, published.get().inputSchema())),
                        new QuietCallContext(context))
                .map(reply -> switch (reply) {
                    case RelayedReply.RelayedResult relayed -> answer(tool, new ToolAnswer(relayed.result()));
                    case RelayedReply.InputRequired _, RelayedReply.CapabilitiesMissing _, RelayedReply.TaskBegun _ ->
                        throw new ToolException(
                                FailureKind.UNAVAILABLE,
                                tool + " of " + id + " has questions before it answers. Call the tool itself.");
                    case ToolReply.Failed failed -> throw new ToolException(failed);
                    case ToolReply.Ok _ -> throw new IllegalStateException("a relayed tool answered as an own one");
                });
    }

    /** Arguments with numbers where {@code schema} wants them: an id that is a number comes from an address as text. */
    private static ObjectNode typed(ObjectNode arguments, ObjectNode schema) {
        arguments.properties().forEach(argument -> {
            String type = schema.path("properties")
                    .path(argument.getKey())
                    .path("type")
                    .asText();
            String text = argument.getValue().asText();
            if (Set.of("integer", "number").contains(type)
                    && INTEGER.matcher(text).matches()) {
                argument.setValue(LongNode.valueOf(Long.parseLong(text)));
            }
        });
        return arguments;
    }

    private ToolAnswer answer(String tool, ToolAnswer answer) {
        if (!answer.failed()) {
            return answer;
        }
        String words = EngineMessageSanitizer.plain(ToolDefinition.clean(answer.text()));
        throw new ToolException(
                FailureKind.UNAVAILABLE,
                EngineMessageSanitizer.then(
                        tool + " of " + id + " failed: " + SourceQuery.beginning(words, LONGEST_MESSAGE),
                        EngineMessageSanitizer.LATER));
    }
}
