package switchboard.backend.agentroot.source;

import java.net.URI;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import switchboard.call.FailureKind;
import switchboard.call.ToolException;

/**
 * A GitHub address: {@code https://github.com/o/r}, the same with {@code /tree/<branch>/<folder>} or {@code
 * /blob/<branch>/<file>}, or only {@code o/r}.
 *
 * @param owner user or organisation
 * @param repo the repository
 * @param kind {@code tree} or {@code blob}; {@code ""} for the whole repository
 * @param rest branch and path; only the repository knows where the branch ends
 */
record GithubAddress(String owner, String repo, String kind, String rest) {
    private static final Pattern SHORT = Pattern.compile("([\\w.-]{1,100})/([\\w.-]{1,100}?)(?:\\.git)?/?");
    private static final Pattern LONG =
            Pattern.compile("/([\\w.-]{1,100})/([\\w.-]{1,100}?)(?:\\.git)?(?:/(tree|blob)/(.+?))?/*");

    /**
     * Parses an address.
     *
     * @param api the API's URL, whose host may be used instead of {@code github.com}
     * @throws ToolException if {@code text} is not an address
     */
    static GithubAddress parse(String text, URI api) {
        Matcher matcher = SHORT.matcher(text.strip());
        String host = "github.com";
        if (text.contains("://")) {
            try {
                URI uri = URI.create(text.strip());
                matcher = LONG.matcher(uri.getPath() == null ? "" : uri.getPath());
                host = String.valueOf(uri.getHost());
            } catch (IllegalArgumentException _) {
                host = "";
            }
        }
        if (!Set.of("github.com", "www.github.com", String.valueOf(api.getHost()))
                        .contains(host)
                || !matcher.matches()
                || Set.of(".", "..").contains(matcher.group(1))
                || Set.of(".", "..").contains(matcher.group(2))) {
            throw new ToolException(
                    FailureKind.INVALID_ARGUMENT,
                    "path must name a GitHub repository: https://github.com/owner/repo, with /tree/branch/folder or"
                            + " /blob/branch/file if you like, or owner/repo");
        }
        boolean deep = matcher.groupCount() > 2 && matcher.group(3) != null;
        return new GithubAddress(
                matcher.group(1), matcher.group(2), deep ? matcher.group(3) : "", deep ? matcher.group(4) : "");
    }
}
