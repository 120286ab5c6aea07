package switchboard.backend.meilisearch;

import java.net.URI;

/** The Meilisearch of a contract suite: a stub, or a real one where {@code MEILI_URL} is set. */
interface EngineFixture extends AutoCloseable {
    /** The one to use. */
    static EngineFixture open() {
        String url = System.getenv("MEILI_URL");
        return url == null || url.isBlank()
                ? new StubMeilisearch()
                : new RealMeilisearch(URI.create(url), System.getenv().getOrDefault("MEILI_MASTER_KEY", ""));
    }

    URI url();

    /** The credential that the recordings call {@code name}. */
    String key(String name);

    /** That key's uid. */
    String keyUid(String name);

    /** What the index that the recordings call {@code name} is called here. */
    String uid(String name);

    /** Whether requests are compared and answered from recordings. */
    boolean stubbed();

    /** The requests that the next call may make, each once; a real engine answers whatever comes. */
    void expect(Recording... exchanges);

    /** The same by name. */
    default void expect(String... names) {
        for (String name : names) {
            expect(Recording.of(name));
        }
    }

    /** Fails if a request came that was not expected, or an expected one did not come. */
    void verify();

    @Override
    void close();
}
