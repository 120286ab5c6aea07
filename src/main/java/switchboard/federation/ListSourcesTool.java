package switchboard.federation;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendRequest;
import switchboard.call.CallContext;
import switchboard.call.SearchableSource;
import switchboard.call.ToolReply;

/** {@code list_sources}: lists what can be searched. */
record ListSourcesTool(SourceDirectory directory, FederationSettings settings)
        implements ToolHandler<ListSourcesTool.Args> {
    static final String NAME = "list_sources";

    /** Maximum number of fields with examples in an answer; each source has its share. */
    private static final int MOST_EXAMPLES = 400;

    record Args(List<String> sources) {}

    /** One source; component names are those on the wire. */
    record SourceItem(
            String source,
            String backend,
            String name,
            String description,
            @Nullable Long documents,
            List<FilterFieldItem> filter_fields,
            @Nullable Boolean more_filter_fields,
            @Nullable String updated,
            List<String> searched_by) {
        static SourceItem of(SearchSource source, @Nullable String description, int examples) {
            SearchableSource about = source.about();
            return new SourceItem(
                    source.label(),
                    source.backend(),
                    about.name(),
                    description == null ? about.description() : description,
                    about.documents(),
                    FilterFieldItem.of(about.fields(), SearchableSource.MOST_LISTED, examples),
                    about.fields().size() > SearchableSource.MOST_LISTED ? true : null,
                    about.updated(),
                    about.searchedBy());
        }
    }

    record Reply(List<SourceItem> sources, List<SourceStatus> unavailable) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        List<Future<SourceDirectory.Resolved>> answers = List.copyOf(directory
                .find(
                        directory.caller(context),
                        new SourceSelector(args.sources()),
                        BackendRequest.FilterFields.ALL,
                        settings.deadline())
                .values());
        return Future.join(answers)
                .map(_ -> SourceDirectory.Resolved.all(
                        answers.stream().map(Future::result).toList()))
                .map(found -> ToolReply.ok(reply(found)));
    }

    private Reply reply(SourceDirectory.Resolved found) {
        int examples = MOST_EXAMPLES / Math.max(1, found.sources().size());
        return new Reply(
                found.sources().stream()
                        .map(source ->
                                SourceItem.of(source, settings.declared(source).description(), examples))
                        .toList(),
                found.silent());
    }
}
