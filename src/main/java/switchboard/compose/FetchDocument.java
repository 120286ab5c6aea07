package switchboard.compose;

import io.vertx.core.Future;
import java.util.List;
import org.jspecify.annotations.Nullable;
import switchboard.auth.AccessPolicy;
import switchboard.backend.CallContext;
import switchboard.backend.ToolHandler;
import switchboard.call.BackendReply;
import switchboard.call.BackendRequest;
import switchboard.call.FailureKind;
import switchboard.call.ToolReply;

/** {@code fetch_document}: the text behind an address that {@code search_everywhere} gave. */
final class FetchDocument implements ToolHandler<FetchDocument.Args> {
    static final String NAME = "fetch_document";
    private final ComposeSettings settings;
    private final FederationBackend.Ground ground;

    FetchDocument(ComposeSettings settings, FederationBackend.Ground ground) {
        this.settings = settings;
        this.ground = ground;
    }

    record Args(String address, int offset, int max_chars) {}

    /** Component names are those on the wire. */
    record Reply(
            String address,
            String title,
            @Nullable String url,
            String text,
            int offset,
            int total_chars,
            @Nullable Integer next_offset) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Class<Args> argsType() {
        return Args.class;
    }

    @Override
    public Future<ToolReply> call(Args args, CallContext context) {
        Address address = Address.parse(args.address()).orElse(null);
        if (address == null) {
            return Future.succeededFuture(ToolReply.failed(
                    FailureKind.INVALID_ARGUMENT,
                    "address must be one that search_everywhere gave, such as switchboard://vectordb/default/<id>."));
        }
        Asker asker = Asker.of(context, ground.calls(), ground.searchable());
        return switch (decide(asker, address)) {
            case AccessPolicy.Decision.Allowed allowed ->
                asker.ask(
                                address.backend(),
                                new BackendRequest.ReadDocument(
                                        address.source(),
                                        address.document(),
                                        args.offset(),
                                        args.max_chars(),
                                        settings.declared(address.backend(), address.backend() + ":" + address.source())
                                                .fields()),
                                allowed.caller(),
                                context.remaining())
                        .map(reply -> reply(args, address, reply));
            case AccessPolicy.Decision.Denied _,
                    AccessPolicy.Decision.Invisible _,
                    AccessPolicy.Decision.InsufficientScope _ ->
                Future.succeededFuture(ToolReply.failed(
                        FailureKind.NOT_FOUND,
                        "There is no document at " + address
                                + " that you may read. search_everywhere gives the addresses."));
        };
    }

    private AccessPolicy.Decision decide(Asker asker, Address address) {
        return ground.searchable().contains(address.backend())
                        && asker.backends().contains(address.backend())
                        && asker.shows(address.backend() + ":" + address.source())
                ? ground.policy()
                        .decide(
                                asker.principal(),
                                asker.offered(address.backend()),
                                address.backend(),
                                Asker.READ,
                                List.of(address.source()))
                : new AccessPolicy.Decision.Invisible();
    }

    private static ToolReply reply(Args args, Address address, BackendReply reply) {
        return PartReply.<BackendReply.DocumentPart, ToolReply>either(
                reply,
                BackendReply.DocumentPart.class,
                part -> ToolReply.ok(new Reply(
                        address.toString(),
                        part.title(),
                        part.url(),
                        part.text(),
                        args.offset(),
                        part.totalChars(),
                        part.next())),
                FetchDocument::withStep);
    }

    private static ToolReply withStep(ToolReply.Failed failed) {
        return failed.kind() == FailureKind.NOT_FOUND
                ? new ToolReply.Failed(
                        failed.kind(),
                        failed.message() + " search_everywhere gives the addresses.",
                        failed.code(),
                        failed.retryAfterMs(),
                        failed.details())
                : failed;
    }
}
