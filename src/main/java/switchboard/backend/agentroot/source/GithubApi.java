package switchboard.backend.agentroot.source;

import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import switchboard.call.CallContext;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;
import switchboard.call.ToolReply;
import switchboard.upstream.UpstreamClient;
import switchboard.upstream.UpstreamRequest;
import switchboard.upstream.UpstreamResponse;

/** The requests to GitHub's REST API that read repositories. Thread-safe; never blocks; failures never contain tokens. */
public final class GithubApi {
    private static final String JSON = "application/vnd.github+json";
    private static final String RAW = "application/vnd.github.raw+json";

    private final UpstreamClient client;
    private final URI base;
    private final Clock clock;

    /**
     * The API at {@code base}.
     *
     * @param client sends to it, with the operator's token if there is one
     */
    public GithubApi(UpstreamClient client, URI base, Clock clock) {
        this.client = client;
        this.base = base;
        this.clock = clock;
    }

    URI base() {
        return base;
    }

    /** A repository, and the token to access it. */
    record Repository(String owner, String name, Optional<String> token) {
        @Override
        public String toString() {
            return owner + "/" + name;
        }
    }

    /** JSON at {@code path} below the repository's URL. */
    Future<JsonNode> json(Repository repository, String path, CallContext context) {
        return get(repository, path, JSON, context).map(UpstreamResponse::json);
    }

    /** The bytes of a blob. */
    Future<byte[]> blob(Repository repository, String sha, CallContext context) {
        return get(repository, "/git/blobs/" + UpstreamRequest.segment(sha), RAW, context)
                .map(response -> response.body().getBytes());
    }

    private Future<UpstreamResponse> get(Repository repository, String path, String accept, CallContext context) {
        UpstreamRequest request = UpstreamRequest.get("/repos/" + UpstreamRequest.segment(repository.owner()) + "/"
                        + UpstreamRequest.segment(repository.name()) + path)
                .header("Accept", accept)
                .header("X-GitHub-Api-Version", "2022-11-28");
        if (repository.token().isPresent()) {
            request = request.header(
                    "Authorization", "Bearer " + repository.token().get());
        }
        return client.send(request, context).map(response -> {
            if (response.success()) {
                return response;
            }
            throw new ToolException(failure(response, repository));
        });
    }

    private ToolReply.Failed failure(UpstreamResponse response, Repository repository) {
        Long wait = response.retryAfterMs();
        boolean limited = response.status() == 429 || (response.status() == 403 && wait != null);
        if (limited) {
            String until = wait == null
                    ? ""
                    : " It is free again at " + clock.instant().plusMillis(wait).truncatedTo(ChronoUnit.SECONDS) + ".";
            ToolReply.Failed failed = new ToolReply.Failed(
                    FailureKind.OVERLOADED,
                    "GitHub's rate limit is used up." + until + " A token (github.token, or the option github_token)"
                            + " has a higher one.");
            return wait == null ? failed : failed.withRetryAfterMs(wait);
        }
        return switch (response.status()) {
            case 401 ->
                new ToolReply.Failed(
                        FailureKind.DENIED_UPSTREAM,
                        "GitHub refuses the token for " + repository + ". Ask the operator to renew it.");
            case 403 ->
                new ToolReply.Failed(
                        FailureKind.DENIED_UPSTREAM,
                        "GitHub does not allow the token to read " + repository + ". Ask for one that may.");
            case 404 ->
                new ToolReply.Failed(
                        FailureKind.NOT_FOUND,
                        "GitHub has no such file, folder or branch in " + repository
                                + ", or no such repository, or shows it only with a token that may read it. Check the"
                                + " address, or the option github_token.");
            case 409 ->
                new ToolReply.Failed(FailureKind.NOT_FOUND, "The repository " + repository + " is empty. Use another.");
            default -> response.unexplained();
        };
    }
}
