package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.codec.digest.DigestUtils;
import switchboard.backend.agentroot.source.GithubApi.Repository;
import switchboard.backend.agentroot.source.GithubTree.Blob;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;
import switchboard.call.Verb;
import switchboard.store.AllowedReaders;
import switchboard.upstream.UpstreamRequest;

/** The files of a GitHub repository, or of a folder in it. A file with an unchanged blob is not fetched again. */
public final class GithubProvider implements DocumentProvider {
    private static final String TOKEN = "github_token";
    private static final String BRANCH = "branch";
    private static final String PRIVATE = "private_allow";

    private final GithubApi api;
    private final CollectionLimits limits;

    /** Repositories behind {@code api}. */
    public GithubProvider(GithubApi api, CollectionLimits limits) {
        this.api = api;
        this.limits = limits;
    }

    @Override
    public String type() {
        return "github";
    }

    @Override
    public String defaultPattern() {
        return "**/*.md";
    }

    @Override
    public Set<String> options() {
        return Set.of(TOKEN, BRANCH, PRIVATE);
    }

    @Override
    public Verb verb() {
        return Verb.FETCH;
    }

    @Override
    public Future<CollectionOrigin> check(CollectionOrigin origin, CallContext context) {
        origin.option(TOKEN)
                .filter(token -> !token.matches("[\\x21-\\x7e]{1,500}"))
                .ifPresent(_ -> {
                    throw new ToolException(FailureKind.INVALID_ARGUMENT, TOKEN + " is not a token");
                });
        readersOfPrivate(origin);
        GithubAddress address = GithubAddress.parse(origin.path(), api.base());
        Repository repository = repository(address, origin);
        // Asks for little, and fails if repository, branch or token are wrong.
        return new GithubTree(api, repository, limits, context)
                .resolve(address, origin.option(BRANCH))
                .compose(refPath ->
                        api.json(repository, "/git/trees/" + UpstreamRequest.segment(refPath.ref()), context))
                .map(_ -> origin);
    }

    /** Who may read files of a repository that is not public, if the origin says it. */
    private static Optional<AllowedReaders> readersOfPrivate(CollectionOrigin origin) {
        try {
            return origin.option(PRIVATE).map(SourcePermission::parsed);
        } catch (IllegalArgumentException e) {
            throw new ToolException(FailureKind.INVALID_ARGUMENT, PRIVATE + ": " + e.getMessage() + ".");
        }
    }

    /** Who may read the files of a repository: everyone if it is public, or if the origin does not say who else may. */
    private Future<AllowedReaders> readers(Repository repository, CollectionOrigin origin, CallContext context) {
        return readersOfPrivate(origin)
                .map(readers ->
                        api.json(repository, "", context).map(found -> isPublic(found) ? AllowedReaders.ALL : readers))
                .orElseGet(() -> Future.succeededFuture(AllowedReaders.ALL));
    }

    /** Older servers do not tell the visibility. What is internal is not public. */
    private static boolean isPublic(JsonNode repository) {
        return repository.hasNonNull("visibility")
                ? repository.path("visibility").asText().equals("public")
                : !repository.path("private").asBoolean(true);
    }

    private static Repository repository(GithubAddress address, CollectionOrigin origin) {
        return new Repository(address.owner(), address.repo(), origin.option(TOKEN));
    }

    @Override
    public Future<Scan> scan(CollectionOrigin origin, CallContext context) {
        GithubAddress address = GithubAddress.parse(origin.path(), api.base());
        Repository repository = repository(address, origin);
        GithubTree tree = new GithubTree(api, repository, limits, context);
        return tree.resolve(address, origin.option(BRANCH))
                .compose(refPath -> tree.read(refPath, origin.pattern()))
                .compose(_ -> readers(repository, origin, context))
                .map(readers -> new Scan(
                        tree.blobs().stream()
                                .<SourceDocument>map(blob -> new GithubDocument(repository, blob, readers, context))
                                .toList(),
                        tree.skipped().stream()
                                .map(one -> one.within(new SourcePermission(readers)))
                                .toList(),
                        tree.complete()));
    }

    private final class GithubDocument implements SourceDocument {
        private final Repository repository;
        private final Blob blob;
        private final AllowedReaders readers;
        private final CallContext context;

        GithubDocument(Repository repository, Blob blob, AllowedReaders readers, CallContext context) {
            this.repository = repository;
            this.blob = blob;
            this.readers = readers;
            this.context = context;
        }

        @Override
        public String path() {
            return blob.path();
        }

        @Override
        public Optional<String> version() {
            return Optional.of(
                    readers.restricted() ? blob.sha() + " " + DigestUtils.sha256Hex(readers.toString()) : blob.sha());
        }

        @Override
        public Future<SourcePermission> permission() {
            return Future.succeededFuture(GithubTree.permission(blob.path()).and(new SourcePermission(readers)));
        }

        @Override
        public Future<RawContent> load() {
            return api.blob(repository, blob.sha(), context)
                    .map(bytes -> new RawContent(
                            bytes,
                            blob.path(),
                            null,
                            null,
                            null,
                            null,
                            Json.object().put("repository", repository.toString()),
                            new SourcePermission(readers)));
        }
    }
}
