package switchboard.backend.agentroot;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.backend.agentroot.schedule.CollectionSchedule;
import switchboard.backend.embedded.StoreKind;
import switchboard.call.ToolException;
import switchboard.config.AllowedRange;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.Secret;
import switchboard.config.SharesDocuments;
import switchboard.config.Size;
import switchboard.fetch.RobotsPolicy;

/** The configuration of an {@code agentroot} backend. */
public record AgentrootSettings(
        @Default("local")
        @Doc(
                "Where documents, collections, memories and search sessions are kept: `local` (in `dataDir`, sessions in memory) or"
                        + " `cluster` (in the database of the section `cluster`, shared with the backend of the same name in each other"
                        + " gateway; `dataDir` has files to search that follow it, and can be deleted). `switchboard store move` copies"
                        + " documents, collections and memories from one to the other.")
        StoreKind store,

        @Default("0s")
        @AllowedRange(min = "0s", max = "1m")
        @Doc(
                "With `store: cluster`: how old an answer may be. With `0s` each call asks the database first whether there are changes,"
                        + " and sees all that was acknowledged before.")
        Duration freshness,

        @Default("data/agentroot") @Doc("The folder of the store. Relative to the data folder. One process owns it.")
        Path dataDir,

        @Default("[]")
        @Doc("The folders that collections may read files from, with everything below them; symbolic links that lead"
                + " out of them are not followed. Relative to the data folder. Empty: no files.")
        List<Path> roots,

        @Default("16MiB") @AllowedRange(min = "1KiB", max = "1GiB") @Doc("The largest document.")
        Size maxFileSize,

        @Default("100000")
        @AllowedRange(min = "1", max = "1000000")
        @Doc("Maximum number of documents in a collection; further ones are reported as left out.")
        int maxDocuments,

        @Default("default") @Doc("The entry of `embedders` that computes the vectors.")
        String embedder,

        @Doc(
                "Embedders of languages within one collection, by their codes: `{zh: chinese}`. Each passage gets its vector"
                        + " from the model of its language, if there is one here, and a query is compared with the vectors of each"
                        + " model that knows its script. After a change: `collection_update`, or `switchboard reindex`.")
        Map<String, String> languages,

        @Default("linear")
        @Doc("How `query`, `smart_search` and `explore` combine words and vectors: `linear` (weighted scores) or `rrf`"
                + " (reciprocal rank fusion, as agentroot does).")
        QueryFusion fusion,

        @Default("1000")
        @AllowedRange(min = "1", max = "10000")
        @Doc(
                "Maximum number of collections that stay open between calls. A search over more opens the others each time.")
        int maxOpenCollections,

        @Default("1h")
        @AllowedRange(min = "1s", max = "1d")
        @Doc("A collection is closed after this time without a call.")
        Duration idleClose,

        @Default("4m")
        @AllowedRange(min = "1ms", max = "1h")
        @Doc("How long one `collection_update` works before it returns `complete: false`; the next call continues.")
        Duration updateTime,

        @Default("1000")
        @AllowedRange(min = "1", max = "100000")
        @Doc(
                "Maximum number of search sessions, of all gateways together with `store: cluster`; a tenth of them for one owner.")
        int maxSessions,

        @Doc("Settings of collections of the provider `sql`. Each statement runs in a process of its own.")
        Sql sql,

        @Doc("Settings of collections of the provider `url`.")
        Fetch fetch,

        @Doc("The GitHub server for collections of the provider `github`.")
        Github github,

        @Doc(
                "Collections that the gateway updates by itself, by their names: those without an owner. They are added with"
                        + " `collection_add`; until then nothing is updated.")
        Map<String, CollectionSchedule> collections)
        implements SharesDocuments {
    public AgentrootSettings {
        roots = List.copyOf(roots);
        languages = Map.copyOf(languages);
        collections = Map.copyOf(collections);
        collections.keySet().forEach(AgentrootSettings::checkName);
    }

    private static void checkName(String collection) {
        try {
            CollectionDefinition.checked(collection);
        } catch (ToolException e) {
            throw new IllegalArgumentException(
                    "collections: \"" + collection + "\" can't be a collection. "
                            + e.failed().message(),
                    e);
        }
    }

    @Override
    public boolean sharesDocuments() {
        return store == StoreKind.CLUSTER;
    }

    /** Limits for SQL statements. */
    public record Sql(
            @Default("1m")
            @AllowedRange(min = "100ms", max = "1h")
            @Doc("Time limit of a statement, at most the remaining time of its call. It is stopped then.")
            Duration timeout,

            @Default("2") @AllowedRange(min = "1", max = "64") @Doc("How many statements run at once; others wait.")
            int processes,

            @Default("256MiB")
            @AllowedRange(min = "32MiB", max = "64GiB")
            @Doc("Memory of one process, in addition to 16 times `maxFileSize` for the values that it reads.")
            Size memory,

            @Default("512MiB")
            @AllowedRange(min = "1MiB", max = "1024GiB")
            @Doc(
                    "Size of the temporary files of one process, for sorting and joining; they are in a folder of its own below the"
                            + " system's.")
            Size tempSpace) {}

    /** Settings for fetching web pages. */
    public record Fetch(
            @Default("false")
            @Doc("Whether addresses outside the public Internet (private networks, loopback, cloud metadata) may be"
                    + " reached. Every caller with the verb `fetch` can reach them then.")
            boolean allowPrivate,

            @Default("ignore")
            @Doc("How a site's robots.txt is treated: `ignore` (a page is fetched because somebody named it, no link is"
                    + " followed: as a browser does) or `obey` (read once a day for each site; where agents choose the"
                    + " pages by themselves).")
            RobotsPolicy robots,

            @Default("10s") @AllowedRange(min = "100ms", max = "10m") @Doc("Time for one page, redirects included.")
            Duration timeout,

            @Default("5") @AllowedRange(min = "0", max = "20") @Doc("Maximum number of redirects.")
            int maxRedirects) {}

    /** The GitHub server that collections of the provider {@code github} are read from. */
    public record Github(
            @Default("https://api.github.com")
            @Doc("The REST API; of GitHub Enterprise Server it is `https://HOST/api/v3`.")
            URI apiUrl,

            @Doc("A token for it, for private repositories and a higher rate limit. A collection's own option"
                    + " `github_token` comes first.")
            @Nullable
            Secret token) {}
}
