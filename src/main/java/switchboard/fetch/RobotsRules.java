package switchboard.fetch;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import io.vertx.core.Future;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The {@code robots.txt} rules (RFC 9309) of sites. Rules are read once a day for each site, and kept for at most
 * {@value #SITES} sites. A site without the file allows everything. A site whose file can't be read allows nothing
 * until it can be. Thread-safe.
 */
final class RobotsRules {
    private static final int SITES = 1_000;
    private static final Duration KEPT = Duration.ofDays(1);

    /** RFC 9309 section 2.5 requires at least this limit. A longer file can't be read. */
    private static final int MAX_BYTES = 500 * 1024;

    /** RFC 9309 section 2.3.1.2. */
    private static final int MAX_REDIRECTS = 5;

    private final PageFetcher getter;
    private final List<String> names;
    private final Cache<String, Future<BaseRobotRules>> bySite;

    /** Fetches a page without checking rules. */
    @FunctionalInterface
    interface PageFetcher {
        Future<FetchResult> get(URI uri, FetchLimits limits);
    }

    /**
     * The rules for one program.
     *
     * @param userAgent its User-Agent; the part before the slash is its name in the files
     */
    RobotsRules(PageFetcher getter, String userAgent, Ticker ticker) {
        this.getter = getter;
        this.names = List.of(userAgent.replaceFirst("[/ ].*$", "").toLowerCase(Locale.ROOT));
        this.bySite = Caffeine.newBuilder()
                .maximumSize(SITES)
                .expireAfterWrite(KEPT)
                .ticker(ticker)
                .build();
    }

    /**
     * Succeeds if the site of {@code uri} allows fetching it.
     *
     * @param timeout for reading the rules, if they are not known yet
     * @return fails with {@link FetchException} otherwise
     */
    Future<Void> allow(URI uri, Duration timeout) {
        return rules(uri, timeout)
                .compose(rules -> rules.isAllowed(uri.toString())
                        ? Future.succeededFuture()
                        : Future.failedFuture(new FetchException(
                                FetchException.Reason.REFUSED,
                                "Refused to fetch '" + uri
                                        + "': the site's robots.txt asks programs not to. The operator"
                                        + " has chosen to obey it (fetch.robots).")));
    }

    private Future<BaseRobotRules> rules(URI uri, Duration timeout) {
        String site = uri.getScheme() + "://" + uri.getRawAuthority();
        Future<BaseRobotRules> known = bySite.getIfPresent(site);
        if (known != null) {
            return known;
        }
        Future<BaseRobotRules> asked = ask(URI.create(site + "/robots.txt"), timeout);
        bySite.put(site, asked);
        return asked.onFailure(_ -> bySite.asMap().remove(site, asked));
    }

    private Future<BaseRobotRules> ask(URI file, Duration timeout) {
        return getter.get(file, new FetchLimits(MAX_BYTES, timeout, MAX_REDIRECTS))
                .map(fetched -> switch (fetched) {
                    case FetchResult.Document document -> parsed(file, document);
                    case FetchResult.NotModified _ -> throw new IllegalStateException("nothing was known before");
                })
                .recover(failure -> missing(failure)
                        ? Future.succeededFuture(parser().failedFetch(404))
                        : Future.failedFuture(unknown(file, failure)));
    }

    /** A new parser for each file, because a parser counts warnings. */
    private static SimpleRobotRulesParser parser() {
        return new SimpleRobotRulesParser();
    }

    private BaseRobotRules parsed(URI file, FetchResult.Document document) {
        return parser().parseContent(file.toString(), document.bytes(), "text/plain", names);
    }

    private static boolean missing(Throwable failure) {
        return failure instanceof FetchException e
                && (e.reason() == FetchException.Reason.NOT_FOUND || e.reason() == FetchException.Reason.NOT_GIVEN);
    }

    private static FetchException unknown(URI file, Throwable failure) {
        FetchException.Reason reason = failure instanceof FetchException e ? e.reason() : FetchException.Reason.NETWORK;
        return new FetchException(
                reason,
                "The site's robots.txt can't be read, and the operator has chosen to obey it (fetch.robots): "
                        + (failure instanceof FetchException e ? e.explanation() : "fetching " + file + " failed"));
    }
}
