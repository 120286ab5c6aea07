package switchboard.protocol.method;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.auth.Grant;
import switchboard.auth.Principal;
import switchboard.call.Json;
import switchboard.catalog.PublishedTool;
import switchboard.catalog.View;
import switchboard.protocol.MethodHandler;
import switchboard.protocol.ProtocolSettings;
import switchboard.protocol.ProtocolVersion;
import switchboard.protocol.RpcCall;
import switchboard.protocol.RpcCodec;
import switchboard.protocol.RpcResult;
import switchboard.protocol.SharedJson;

/**
 * {@code tools/list}: the visible tools sorted by name, each encoded when the catalog was built. First pages are
 * cached, because nearly all requests are for them and they are the same for everybody with the same rights.
 */
final class ToolsList implements MethodHandler {
    private static final long MOST_KEPT_BYTES = 16L << 20;

    private final ProtocolSettings settings;
    private final VisibleTools tools;
    private final ToolEntries entries = new ToolEntries();
    private final Cache<Reader, FirstPage> firstPages = Caffeine.newBuilder()
            .maximumWeight(MOST_KEPT_BYTES)
            .weigher((Reader _, FirstPage page) -> page.tools().length())
            .expireAfterAccess(Duration.ofMinutes(10))
            .executor(Runnable::run) // maintenance on the calling thread costs less than waking another one
            .build();

    /** Everything that a list depends on. A replaced view is a different key. */
    private record Reader(View view, List<Grant> grants, boolean delegated, ProtocolVersion version) {
        /** What no scope gives is hidden from all tokens, and what only other scopes give from none. */
        static Reader of(RpcCall call) {
            Principal principal = call.principal();
            return new Reader(call.view(), principal.grants(), principal.delegation() != null, call.version());
        }
    }

    /** A JSON array of tools, and the cursor of the next page or null. */
    private record EncodedPage(byte[] tools, @Nullable String next) {}

    /** A first page, for everybody with the same rights. */
    private record FirstPage(SharedJson tools, @Nullable String next) {
        static FirstPage of(EncodedPage page) {
            return new FirstPage(new SharedJson(page.tools()), page.next());
        }
    }

    ToolsList(ProtocolSettings settings, VisibleTools tools) {
        this.settings = settings;
        this.tools = tools;
    }

    @Override
    public String method() {
        return "tools/list";
    }

    @Override
    public Caching caching() {
        return Caching.PRIVATE;
    }

    @Override
    public Future<RpcResult> handle(RpcCall call) {
        return Future.succeededFuture(Cursor.of(method(), call.params())
                .<RpcResult>map(cursor -> {
                    EncodedPage page = page(call, cursor.at());
                    return new RpcResult.Encoded("tools", page.tools(), fields(page.next()));
                })
                .orElseGet(() -> {
                    FirstPage first = firstPages.get(Reader.of(call), _ -> FirstPage.of(page(call, "")));
                    return new RpcResult.Shared("tools", first.tools(), fields(first.next()));
                }));
    }

    private static ObjectNode fields(@Nullable String next) {
        return next == null ? Json.object() : Json.object().put("nextCursor", next);
    }

    /** The tools whose names follow {@code after}. */
    private EncodedPage page(RpcCall call, String after) {
        List<PublishedTool> rest = tools.list(call.principal(), call.view()).stream()
                .filter(tool -> tool.name().compareTo(after) > 0)
                .toList();
        List<PublishedTool> page = rest.subList(0, Math.min(settings.pageSize(), rest.size()));
        return new EncodedPage(
                RpcCodec.array(page.stream()
                        .map(tool -> entries.of(tool, call.version()))
                        .toList()),
                page.size() < rest.size() ? new Cursor(method(), page.getLast().name(), null).encode() : null);
    }
}
