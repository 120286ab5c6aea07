package switchboard.backend.weaviate;

import io.vertx.core.Future;
import java.util.Optional;
import switchboard.backend.ToolHandler;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** {@code weaviate-logs-fetch}. Weaviate has no interface that returns its log: only a configured source is read. */
record LogsFetchTool(Optional<LogSource> source) implements ToolHandler<LogsFetchTool.Args> {
    private static final int DEFAULT_LIMIT = 2_000;
    private static final int MAX_LIMIT = 50_000;

    record Args(int limit, int offset) {}

    /** Component names are those on the wire. */
    record Reply(String logs, String source) {}

    @Override
    public String name() {
        return "weaviate-logs-fetch";
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Caller caller = context.caller();
        TenantScope tenantScope = TenantScope.of(caller);
        if (!caller.scope().unrestricted() || tenantScope.boundTenant() != null || tenantScope.where() != null) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.DENIED,
                    "Logs tell of every team's collections and tenants; a team that is kept to some of them can't read"
                            + " them. Ask the operator for what you need of them."));
        }
        if (source.isEmpty()) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.UNAVAILABLE,
                    "Logs are not available: no log source is configured, and Weaviate itself has no interface for"
                            + " them. The operator can set logs.source to file, loki or gateway."));
        }
        LogSource log = source.get();
        int limit = args.limit() == 0 ? DEFAULT_LIMIT : Math.min(args.limit(), MAX_LIMIT);
        return log.read(context).map(text -> ToolReply.ok(new Reply(slice(text, limit, args.offset()), log.label())));
    }

    /** Up to {@code limit} characters of {@code text} that end {@code offset} characters before its end. */
    static String slice(String text, int limit, int offset) {
        int characters = text.codePointCount(0, text.length());
        int end = Math.max(0, characters - offset);
        int start = Math.max(0, end - limit);
        return text.substring(text.offsetByCodePoints(0, start), text.offsetByCodePoints(0, end));
    }
}
