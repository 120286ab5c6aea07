package switchboard.backend.vectordb;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import switchboard.config.AllowedRange;
import switchboard.config.Default;
import switchboard.config.Doc;
import switchboard.config.Secret;
import switchboard.config.SharesDocuments;
import switchboard.config.Size;
import switchboard.fetch.RobotsPolicy;
import switchboard.upstream.UpstreamSettings;

/** The configuration of a {@code vectordb} backend. */
public record VectordbSettings(
        @Default("local")
        @Doc(
                "Where documents are kept: `local` (in `dataDir`), `cluster` (in the database of the section `cluster`, shared with"
                        + " the backend of the same name in each other gateway; `dataDir` has files to search that follow it, and can be"
                        + " deleted), or `weaviate` (the same for texts and what is known of documents, but chunks and vectors are in a"
                        + " Weaviate cluster, for libraries that are too large for one machine). `switchboard store move` copies"
                        + " documents from one to the other.")
        LibraryStore store,

        @Doc("The Weaviate cluster, for `store: weaviate`.") @Nullable
        WeaviateCluster weaviate,

        @Default("0s")
        @AllowedRange(min = "0s", max = "1m")
        @Doc(
                "With `store: cluster` or `weaviate`: how old an answer may be. With `0s` each call asks the database first whether there are changes,"
                        + " and sees all that was acknowledged before.")
        Duration freshness,

        @Default("[\"*\"]")
        @Doc(
                "With `store: cluster` or `weaviate`: the libraries, by name or pattern, whose files are built when the gateway starts, and for"
                        + " which its readiness waits. The files of others are built when they are first used, and follow from then on.")
        List<String> warm,

        @Default("data/vectordb") @Doc("The folder of the store. Relative to the data folder. One process owns it.")
        Path dataDir,

        @Default("[]")
        @Doc("The folders that `ingest_file` may read, with everything below them; symbolic links that lead out of them"
                + " are not followed. Relative to the data folder. Empty: no files.")
        List<Path> ingestRoots,

        @Default("64MiB") @AllowedRange(min = "1KiB", max = "1GiB") @Doc("The largest file that is read.")
        Size maxFileSize,

        @Default("default") @Doc("The entry of `embedders` that computes the vectors.")
        String embedder,

        @Doc("Embedders of libraries that another model suits better, by the library's name or a pattern in which `*`"
                + " stands for anything; the first match counts. New documents get the new vectors;"
                + " `switchboard reindex` gives them to the rest, which is found by keyword until then.")
        Map<String, String> embedders,

        @Doc(
                "Embedders of languages within one library, by their codes: `{zh: chinese}`. Each passage gets its vector from"
                        + " the model of its language, if there is one here, and a query is compared with the vectors of each model"
                        + " that knows its script. Libraries whose embedder is `none` by a pattern have no vectors at all. After a"
                        + " change: `switchboard reindex`.")
        Map<String, String> languages,

        @Default("linear")
        @Doc("How keyword and vector results are combined unless a call sets another: `linear` (weighted scores) or"
                + " `rrf` (reciprocal rank fusion).")
        FusionChoice fusion,

        @Doc("The weights of `linear`.") Ranking ranking,

        @Default("1000")
        @AllowedRange(min = "1", max = "10000")
        @Doc("Maximum number of libraries that stay open between calls. A search over more opens the others each time.")
        int maxOpenLibraries,

        @Default("1h") @AllowedRange(min = "1s", max = "1d") @Doc("A library is closed after this time without a call.")
        Duration idleClose,

        @Doc("Settings of `ingest_url`.") Fetch fetch)
        implements SharesDocuments {
    public VectordbSettings {
        if ((store == LibraryStore.WEAVIATE) != (weaviate != null)) {
            throw new IllegalArgumentException("store: weaviate and the section weaviate belong together");
        }
        warm = List.copyOf(warm);
        ingestRoots = List.copyOf(ingestRoots);
        // Not Map.copyOf: the first pattern counts.
        embedders = Collections.unmodifiableMap(new LinkedHashMap<>(embedders));
        languages = Map.copyOf(languages);
    }

    @Override
    public boolean sharesDocuments() {
        return store != LibraryStore.LOCAL;
    }

    /** Where a Weaviate cluster is, and how collections are laid out in it. */
    public record WeaviateCluster(
            @Doc(
                    "Its REST address, such as `http://weaviate:8080`. A collection for each library is made in it, which nobody else"
                            + " should change.")
            URI url,

            @Doc("API key, sent as `Authorization: Bearer`. By default anonymous.") @Nullable
            Secret apiKey,

            @Default("1")
            @AllowedRange(min = "1", max = "1000")
            @Doc("Into how many shards a new library is divided. It can't be changed later.")
            int shards,

            @Default("1")
            @AllowedRange(min = "1", max = "100")
            @Doc("How many nodes have each shard of a new library. With 3, one node may be away.")
            int replicationFactor,

            @Doc("Connections to Weaviate.") UpstreamSettings connection) {}

    /** Weights of the linear fusion. */
    public record Ranking(
            @Default("0.7")
            @AllowedRange(min = "0", max = "1")
            @Doc(
                    "The weight of the vectors; the words have the rest, and 0.7 of it if the three best chunks are source code."
                            + " A model whose cosines spread more needs less: 0.5 for MiniLM.")
            double vectors,

            @Default("0.06")
            @AllowedRange(min = "0", max = "1")
            @Doc("How much a chunk gains when words that are neighbours in the query are neighbours in its text.")
            double bigrams,

            @Default("0.4")
            @AllowedRange(min = "0", max = "1")
            @Doc(
                    "The share of a chunk's score by words that comes from the 16 words in a row that have most of the query, if the"
                            + " three best chunks are prose.")
            double proximity,

            @Default("0.3")
            @AllowedRange(min = "0", max = "1")
            @Doc("How much a chunk gains by similarity to the three best chunks, if these are prose.")
            double feedback,

            @Default("0.2")
            @AllowedRange(min = "0", max = "1")
            @Doc(
                    "The share of a chunk's score that comes from the chunks before and after it, if the three best chunks are"
                            + " source code.")
            double neighbours,

            @Default("0.1")
            @AllowedRange(min = "0", max = "1")
            @Doc(
                    "How much a chunk gains by the words of the query that its document has in any of the chunks that were found, if"
                            + " the three best chunks are source code.")
            double document) {}

    /** Settings for fetching from the web. */
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

            @Default("20MiB")
            @AllowedRange(min = "1KiB", max = "1GiB")
            @Doc("The largest document, after decompression.")
            Size maxSize,

            @Default("10s") @AllowedRange(min = "100ms", max = "10m") @Doc("Time for one document, redirects included.")
            Duration timeout,

            @Default("5") @AllowedRange(min = "0", max = "20") @Doc("Maximum number of redirects.")
            int maxRedirects) {}
}
