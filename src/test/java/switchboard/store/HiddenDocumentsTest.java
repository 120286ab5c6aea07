package switchboard.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static switchboard.store.StoreFixture.BOOKS;
import static switchboard.store.StoreFixture.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import switchboard.call.FailureKind;
import switchboard.call.Json;
import switchboard.call.ToolException;

/** Documents that a caller may not read are neither found, counted nor felt. */
@ExtendWith(VertxExtension.class)
class HiddenDocumentsTest {
    private static final List<String> WORDS = List.of(
            "granite", "quarry", "marble", "harbour", "lantern", "pepper", "violin", "meadow", "cellar", "ribbon",
            "copper", "saddle", "willow", "barley", "kettle", "anchor", "candle", "feather", "garden", "hammer");
    private static final List<String> SECRET = List.of("granitic", "lanterns", "peppery", "zeppelin", "quarries");
    private static final List<String> GROUPS = List.of("red", "green", "blue");
    private static final Set<String> FIELDS = Set.of("title", "source", "file_type", "metadata.payband", "page");
    private static final Namespace MAPS = Namespace.of("maps");

    private final Random random = new Random(7);

    @TempDir
    Path folder;

    private StoreFixture whole;
    private StoreFixture only;

    @BeforeEach
    void open(Vertx vertx) {
        whole = new StoreFixture(vertx, folder.resolve("whole"));
        only = new StoreFixture(vertx, folder.resolve("only"));
    }

    @AfterEach
    void close() {
        whole.close();
        only.close();
    }

    private static DocumentAccess as(String... names) {
        return new DocumentAccess.ForReaders(Set.of(names));
    }

    /** Everything that a caller can ask, of a store with hidden documents and of one that never had them. */
    @Test
    void everyAnswerIsTheOneOfAStoreWithoutThem() {
        everyAnswerIsTheOneOfAStoreWithoutThem(document -> document, 200);
    }

    @Test
    void norIsWhatSeveralPlacesRestrictFelt() {
        everyAnswerIsTheOneOfAStoreWithoutThem(this::restricted, 60);
    }

    private NewDocument restricted(NewDocument document) {
        DocumentDetails details = document.details();
        AllowedReaders more = AllowedReaders.ALL;
        for (int place = 0; place < random.nextInt(4); place++) {
            more = more.and(AllowedReaders.anyOf(
                    List.of("group:" + any(GROUPS), "user:" + any(List.of("ann", "bob")), "user:" + place)));
        }
        return new NewDocument(
                new DocumentDetails(
                        details.source(),
                        details.title(),
                        details.fileType(),
                        details.lastModified(),
                        details.contentHash(),
                        details.metadata(),
                        details.allow().narrowedBy(more)),
                document.text(),
                document.model(),
                document.chunks());
    }

    private void everyAnswerIsTheOneOfAStoreWithoutThem(UnaryOperator<NewDocument> change, int queries) {
        DocumentAccess access = as("group:red", "user:ann");
        Map<Namespace, Map<String, NewDocument>> visible =
                Map.of(BOOKS, new LinkedHashMap<>(), MAPS, new LinkedHashMap<>());
        for (int step = 0; step < 300; step++) {
            Namespace namespace = random.nextInt(4) == 0 ? MAPS : BOOKS;
            NewDocument document = change.apply(document(step));
            boolean seen = access.permits(document.details().allow());
            // What is hidden is also replaced, so that there are deleted versions of it.
            String source = (seen ? "seen/" : "hidden/") + (seen ? step : step % 40);
            document = named(document, source);
            whole.put(namespace, document);
            if (seen) {
                only.put(namespace, document);
                visible.get(namespace).put(source, document);
            }
        }
        assertTrue(visible.get(BOOKS).size() > 50, "enough is visible");
        DocumentStore seen = whole.store().seenBy(access);
        DocumentStore alone = only.store().seenBy(access);
        List<Namespace> both = List.of(BOOKS, MAPS);
        assertEquals(stats(alone, both), stats(seen, both));
        assertEquals(await(alone.fields(both, FIELDS, 50)), await(seen.fields(both, FIELDS, 50)));
        assertEquals(listed(alone, both), listed(seen, both));
        assertEquals(rows(alone), rows(seen));
        assertEquals(chunks(alone, both), chunks(seen, both));
        for (int query = 0; query < queries; query++) {
            SearchRequest request = request(both);
            assertEquals(answer(await(alone.search(request))), answer(await(seen.search(request))), request::toString);
            assertEquals(scores(await(alone.scores(request))), scores(await(seen.scores(request))), request::toString);
        }
    }

    /** Words, keys, languages and models of hidden documents that are deleted stay in the files for a while. */
    @Test
    void whatIsLeftOfDeletedHiddenDocumentsIsNotThereEither() throws IOException {
        DocumentDetails secret = new DocumentDetails(
                "secret",
                "",
                "md",
                null,
                "h",
                Json.object().put("payband", 9),
                AllowedReaders.anyOf(List.of("group:hr")));
        String german = "Die Gehälter der Angestellten wurden vom Vorstand mit Zirkonium bezahlt und nicht mit Geld.";
        Chunk chunk = Chunk.of(0, german.length()).withVector(new float[] {1, 0, 0});
        NewDocument hidden = new NewDocument(secret, german, "other", List.of(chunk));
        NewDocument open = StoreFixture.vectorDoc("open", "granite quarry", 1, 0);
        NewDocument next = new NewDocument(
                new DocumentDetails("secret", "", "md", null, "h", Json.object(), secret.allow()),
                "x",
                null,
                List.of(Chunk.of(0, 1)));
        whole.put(BOOKS, named(open, "first"));
        whole.closeStore();
        try (Directory files = FSDirectory.open(index());
                IndexWriter writer = writer(files)) {
            Map<String, String> facts =
                    new HashMap<>(SegmentInfos.readLatestCommit(files).getUserData());
            facts.putAll(Map.of("documents", "3", "chunks", "3", "restricted", "yes"));
            writer.addDocuments(block(open));
            writer.addDocuments(block(hidden));
            writer.commit();
            writer.updateDocuments(new Term(DocumentSchema.SOURCE, "secret"), block(next));
            writer.setLiveCommitData(facts.entrySet());
            writer.commit();
        }
        only.put(BOOKS, named(open, "first"));
        only.put(BOOKS, open);
        assertTrue(
                await(whole.store().fields(List.of(BOOKS), Set.of(), 9))
                        .toString()
                        .contains("metadata.payband"),
                "something is left of it in the files");
        DocumentStore seen = whole.store().seenBy(as("group:it"));
        DocumentStore alone = only.store().seenBy(as("group:it"));
        assertEquals(await(alone.fields(List.of(BOOKS), FIELDS, 9)), await(seen.fields(List.of(BOOKS), FIELDS, 9)));
        for (String query : List.of("Zirkonium", "Gehälter", "granit quary", "other words", "wurde")) {
            for (Fusion fusion : List.of(Fusion.standard(), new Fusion.KeywordOnly(), new Fusion.VectorOnly())) {
                for (SearchRequest.QueryVector vector : List.of(
                        new SearchRequest.QueryVector("m", new float[] {0, 1}),
                        new SearchRequest.QueryVector("another", new float[] {0, 1}))) {
                    SearchRequest request =
                            new SearchRequest(query, Optional.of(vector), List.of(BOOKS), new Filter.All(), 5, fusion);
                    assertEquals(answer(await(alone.search(request))), answer(await(seen.search(request))));
                }
            }
        }
    }

    private static NewDocument named(NewDocument document, String source) {
        DocumentDetails details = document.details();
        return new NewDocument(
                new DocumentDetails(
                        source,
                        details.title(),
                        details.fileType(),
                        details.lastModified(),
                        details.contentHash(),
                        details.metadata(),
                        details.allow()),
                document.text(),
                document.model(),
                document.chunks());
    }

    /** A document of some chunks, some with vectors. Those that few may read have words and metadata of their own. */
    private NewDocument document(int number) {
        AllowedReaders allow =
                switch (random.nextInt(5)) {
                    case 0 -> AllowedReaders.anyOf(List.of("group:" + any(GROUPS)));
                    case 1 -> AllowedReaders.anyOf(List.of("user:" + any(List.of("ann", "bob")), "group:green"));
                    case 2 -> AllowedReaders.anyOf(List.of("group:blue", "everyone"));
                    case 3 -> AllowedReaders.anyOf(List.of("group:blue", "group:green"));
                    default -> AllowedReaders.ALL;
                };
        List<String> words = new ArrayList<>(WORDS);
        ObjectNode metadata = Json.object().put("colour", any(GROUPS));
        boolean secret = allow.restricted() && random.nextBoolean();
        if (secret && !as("group:red", "user:ann").permits(allow)) {
            words.addAll(SECRET);
            metadata.put("secret" + number % 3, number);
        }
        StringBuilder text = new StringBuilder();
        List<Chunk> chunks = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(4); i++) {
            int start = text.length();
            for (int word = 0; word <= random.nextInt(30); word++) {
                text.append(any(words)).append(' ');
            }
            Chunk chunk = Chunk.of(start, text.length());
            chunks.add(random.nextInt(3) == 0 ? chunk : chunk.withVector(vector()));
        }
        return new NewDocument(
                new DocumentDetails("made", "title " + any(words), "md", null, "h", metadata, allow),
                text.toString(),
                "m",
                chunks);
    }

    private String any(List<String> some) {
        return some.get(random.nextInt(some.size()));
    }

    private float[] vector() {
        double angle = random.nextDouble() * Math.PI;
        return new float[] {(float) Math.cos(angle), (float) Math.sin(angle)};
    }

    private SearchRequest request(List<Namespace> namespaces) {
        List<String> words = new ArrayList<>(WORDS);
        words.addAll(SECRET);
        words.addAll(List.of("granitte", "lantren", "peper", "zepelin", "harbor", "violins"));
        String query = IntStream.rangeClosed(0, random.nextInt(4))
                .mapToObj(_ -> any(words))
                .collect(Collectors.joining(" "));
        Fusion fusion = List.of(Fusion.standard(), Fusion.byRank(), new Fusion.KeywordOnly(), new Fusion.VectorOnly())
                .get(random.nextInt(4));
        Filter filter = random.nextInt(3) == 0 ? Filter.equal("metadata.colour", any(GROUPS)) : new Filter.All();
        return new SearchRequest(
                query,
                List.of(new SearchRequest.QueryVector("m", vector())),
                namespaces,
                filter,
                random.nextBoolean() ? SearchRequest.HitLimits.varied(8, 2) : SearchRequest.HitLimits.chunks(8),
                fusion,
                random.nextBoolean() ? SearchRequest.Spelling.CORRECTED : SearchRequest.Spelling.SUGGESTED);
    }

    /** Scores as they are shown: the last digits of a sum depend on the order in which an index has its documents. */
    private static String answer(SearchResult result) {
        return result.hits().stream()
                        .map(hit -> hit.chunk().document().source() + " "
                                + hit.chunk().index() + " " + RoundedScore.of(hit.score()) + " "
                                + hit.keyword() + hit.vector() + hit.relevance()
                                + hit.copies().stream()
                                        .map(StoredDocument::source)
                                        .toList())
                        .collect(Collectors.joining("\n"))
                + result.similarWords()
                + result.nothing()
                + result.vectorsNotUsed()
                + result.shortened()
                + result.statistics();
    }

    private static String scores(DocumentScores result) {
        return result.documents().stream()
                        .map(one -> one.source() + " " + one.best() + " "
                                + one.scores().stream().map(RoundedScore::of).toList())
                        .collect(Collectors.joining("\n"))
                + result.chunks()
                + result.leftOut();
    }

    private static String stats(DocumentStore store, List<Namespace> namespaces) {
        return await(store.stats(namespaces)).stream()
                .map(one -> one.namespace().name() + " " + one.documents() + " " + one.chunks())
                .toList()
                .toString();
    }

    private static String listed(DocumentStore store, List<Namespace> namespaces) {
        DocumentPage page =
                await(store.list(new ListRequest(namespaces, new Filter.All(), ListRequest.Order.BY_SOURCE, 3, 20)));
        return page.total()
                + page.documents().stream().map(StoredDocument::source).toList().toString();
    }

    private static List<String> rows(DocumentStore store) {
        return await(store.facts(
                        BOOKS,
                        Set.of("title", "metadata.colour"),
                        Collectors.mapping(
                                row -> row.source() + row.values(), Collectors.toCollection(ArrayList::new))))
                .stream()
                .sorted()
                .toList();
    }

    private static List<String> chunks(DocumentStore store, List<Namespace> namespaces) {
        return await(store.chunks(namespaces, new Filter.All(), 100)).stream()
                .map(chunk -> chunk.document().source() + chunk.index())
                .toList();
    }

    private StoredDocument put(DocumentAccess access, String source, String text, String... allow) {
        NewDocument document = StoreFixture.doc(source, text);
        DocumentDetails details =
                new DocumentDetails(source, "", "md", null, "h", Json.object(), AllowedReaders.anyOf(List.of(allow)));
        return await(whole.store()
                        .seenBy(access)
                        .put(BOOKS, new NewDocument(details, document.text(), null, document.chunks())))
                .document();
    }

    private StoredDocument put(String source, AllowedReaders allow) {
        NewDocument document = StoreFixture.doc(source, "what all earn");
        DocumentDetails details = new DocumentDetails(source, "", "md", null, "h", Json.object(), allow);
        return whole.put(BOOKS, new NewDocument(details, document.text(), null, document.chunks()))
                .document();
    }

    /** Who is in one list only reads nothing, whichever it is, also after the segments are merged and after a restart. */
    @Test
    void ofSeveralPlacesEachMustAllowTheReader() {
        AllowedReaders hr = AllowedReaders.anyOf(List.of("group:hr", "group:board"));
        AllowedReaders ann = AllowedReaders.anyOf(List.of("user:ann", "user:bob"));
        AllowedReaders night = AllowedReaders.anyOf(List.of("group:night", "user:ann"));
        put("two", hr.and(ann));
        put("three", hr.and(ann).and(night));
        put("one", hr);
        put("all", AllowedReaders.ALL);
        for (int round = 0; round < 3; round++) {
            seen(List.of("all"), "user:ann");
            seen(List.of("all"), "user:ann", "user:bob", "group:night");
            seen(List.of("all", "one"), "group:hr");
            seen(List.of("all", "one", "two", "three"), "group:hr", "user:ann");
            seen(List.of("all", "one", "two"), "group:hr", "user:bob");
            seen(List.of("all", "one", "two", "three"), "group:board", "user:bob", "group:night");
            seen(List.of("all"));
            whole.reopen();
            StoredDocument again = put("all", AllowedReaders.ALL);
            await(whole.store().delete(List.of(BOOKS), again.id()));
            put("all", AllowedReaders.ALL);
        }
        DocumentStore other = whole.store().seenBy(as("user:ann"));
        StoredDocument two = await(whole.store().find(BOOKS, "two")).orElseThrow();
        denied(() -> await(other.delete(List.of(BOOKS), two.id())));
        denied(() -> put(as("group:hr"), "two", "mine"));
        assertEquals(hr.and(ann), two.allow(), "as it was stored");
    }

    private void seen(List<String> sources, String... names) {
        DocumentStore store = whole.store().seenBy(as(names));
        ListRequest all = new ListRequest(List.of(BOOKS), new Filter.All(), ListRequest.Order.BY_SOURCE, 0, 20);
        assertEquals(
                sources.stream().sorted().toList(),
                await(store.list(all)).documents().stream()
                        .map(StoredDocument::source)
                        .toList(),
                () -> List.of(names).toString());
        assertEquals(
                sources.size(), await(store.stats(List.of(BOOKS))).getFirst().documents());
    }

    /** A version that knows one list only finds names in one field, and reads one key: both have nobody's. */
    @Test
    void anEarlierVersionShowsWhatSeveralPlacesRestrictToNobody() throws IOException {
        put("two", AllowedReaders.anyOf(List.of("group:hr")).and(AllowedReaders.anyOf(List.of("user:ann"))));
        put("one", AllowedReaders.anyOf(List.of("group:hr")));
        whole.closeStore();
        try (Directory files = FSDirectory.open(index());
                DirectoryReader reader = DirectoryReader.open(files)) {
            int restricted = 0;
            for (LeafReaderContext leaf : reader.leaves()) {
                PostingsEnum hr = leaf.reader().postings(new Term(DocumentSchema.READER, "group:hr"));
                restricted += leaf.reader().docFreq(new Term(DocumentSchema.READER, DocumentSchema.RESTRICTED));
                while (hr != null && hr.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
                    restricted--;
                    String stored = storedOf(leaf, hr.docID());
                    assertFalse(stored.contains("\"two\""), stored);
                }
                assertEquals(0, leaf.reader().docFreq(new Term(DocumentSchema.READER, "user:ann")));
                for (int at = 0; at < leaf.reader().maxDoc(); at++) {
                    String stored = storedOf(leaf, at);
                    if (stored.contains("\"two\"")) {
                        assertEquals(
                                "[\"nobody\"]", Json.parse(stored).path("allow").toString());
                    }
                }
            }
            assertEquals(3, restricted, "the slice, the chunk and the document of two");
        }
    }

    private static String storedOf(LeafReaderContext leaf, int document) throws IOException {
        BytesRef stored = leaf.reader().storedFields().document(document).getBinaryValue(DocumentSchema.STORED);
        return stored == null ? "" : stored.utf8ToString();
    }

    @Test
    void listsThatAnotherListImpliesAreLeftOut() {
        AllowedReaders hr = AllowedReaders.of(List.of("group:hr"));
        AllowedReaders more = AllowedReaders.of(List.of("user:ann", "group:hr"));
        AllowedReaders ann = AllowedReaders.of(List.of("user:ann"));
        assertEquals(hr, hr.and(AllowedReaders.ALL));
        assertEquals(hr, AllowedReaders.ALL.and(hr));
        assertEquals(hr, hr.and(hr));
        assertEquals(hr, more.and(hr));
        assertEquals(hr.and(ann), ann.and(more).and(hr));
        assertEquals(
                List.of(List.of("group:hr"), List.of("user:ann")), hr.and(ann).shown());
        assertEquals(AllowedReaders.ALL, AllowedReaders.of(List.of()).and(AllowedReaders.of(List.of("everyone"))));
        AllowedReaders all = AllowedReaders.ALL;
        for (int place = 0; place < AllowedReaders.MAX_PLACES; place++) {
            all = all.and(AllowedReaders.of(List.of("user:" + place)));
        }
        AllowedReaders most = all;
        assertThrows(IllegalArgumentException.class, () -> most.and(hr));
    }

    /** The folder of the only namespace. */
    private Path index() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("whole"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("segments_"))
                    .findFirst()
                    .orElseThrow()
                    .getParent();
        }
    }

    private static IndexWriter writer(Directory files) throws IOException {
        return new IndexWriter(
                files,
                new IndexWriterConfig()
                        .setCodec(new StoreCodec())
                        .setSimilarity(KeywordRetriever.SIMILARITY)
                        .setMergePolicy(NoMergePolicy.INSTANCE));
    }

    private static List<Document> block(NewDocument document) {
        StoredDocument facts = StoredDocument.of(BOOKS, document, Instant.EPOCH);
        return DocumentSchema.of(facts, document);
    }

    /** An earlier version does not write into a commit that there are restricted documents. */
    @Test
    void countsAreRightAfterACommitOfAnEarlierVersion() throws IOException {
        put(as("group:hr"), "pay", "what all earn", "group:hr");
        whole.closeStore();
        try (Directory files = FSDirectory.open(index());
                IndexWriter writer = writer(files)) {
            Map<String, String> earlier =
                    new HashMap<>(SegmentInfos.readLatestCommit(files).getUserData());
            assertEquals("yes", earlier.remove("restricted"));
            writer.setLiveCommitData(earlier.entrySet());
            writer.commit();
        }
        DocumentStore other = whole.store().seenBy(as("group:it"));
        assertEquals(List.of(), await(other.stats(List.of(BOOKS))));
        denied(() -> await(other.drop(BOOKS)));
    }

    /** An emptied namespace keeps its place, too. */
    @Test
    void theOrderOfStatisticsDoesNotTellWhichNamespacesHaveHiddenDocuments() {
        put(as("group:hr"), "pay", "what all earn", "group:hr");
        put(as("group:hr"), "open", "for all");
        Namespace atlas = Namespace.of("atlas");
        for (Namespace open : List.of(MAPS, atlas)) {
            whole.put(open, StoreFixture.doc("m", "a map"));
        }
        StoredDocument only = await(whole.store().find(atlas, "m")).orElseThrow();
        await(whole.store().delete(List.of(atlas), only.id()));
        DocumentStore other = whole.store().seenBy(as("group:it"));
        assertEquals(
                List.of(atlas, BOOKS, MAPS),
                await(other.stats(List.of(BOOKS, MAPS, atlas))).stream()
                        .map(NamespaceStats::namespace)
                        .toList());
    }

    @Test
    void whoMayNotReadADocumentCanNotReplaceChangeOrDeleteIt() {
        StoredDocument secret = put(as("group:hr"), "pay", "what all earn", "group:hr");
        DocumentStore other = whole.store().seenBy(as("group:it"));
        List<Namespace> books = List.of(BOOKS);
        assertEquals(Optional.empty(), await(other.find(BOOKS, "pay")));
        assertEquals(Optional.empty(), await(other.get(books, secret.id())));
        assertEquals(List.of(), await(other.get(books, List.of(secret.id()))));
        assertEquals(Optional.empty(), await(other.read(books, secret.id())));
        denied(() -> await(other.delete(books, secret.id())));
        denied(() -> await(other.describe(
                books, secret.id(), new DocumentDescription("mine", Json.object(), AllowedReaders.ALL, ""))));
        denied(() -> put(as("group:it"), "pay", "all earn nothing"));
        denied(() -> await(other.drop(BOOKS)));
        assertEquals(
                "what all earn",
                await(whole.store().seenBy(as("group:hr")).read(books, secret.id()))
                        .orElseThrow()
                        .text());
        await(other.put(MAPS, StoreFixture.doc("m", "a map")));
        assertTrue(await(other.drop(MAPS)), "what has nothing hidden can be removed");
    }

    private static void denied(org.junit.jupiter.api.function.Executable change) {
        ToolException refused = assertThrows(ToolException.class, change);
        assertEquals(FailureKind.DENIED, refused.failed().kind(), refused.getMessage());
        assertTrue(refused.getMessage().contains("may not read"), refused.getMessage());
    }

    @Test
    void aPermissionThatChangesHoldsAtOnceAndKeepsTheRest() {
        float[] up = {0, 1};
        NewDocument made = StoreFixture.vectorDoc("v", "granite", up);
        StoredDocument stored = whole.put(BOOKS, made).document();
        DocumentStore ann = whole.store().seenBy(as("user:ann"));
        assertTrue(await(ann.get(List.of(BOOKS), stored.id())).isPresent());
        allow(stored, "user:bob");
        assertFalse(await(ann.get(List.of(BOOKS), stored.id())).isPresent());
        assertEquals(List.of(), await(ann.stats(List.of(BOOKS))), "as if there were no such library");
        assertEquals(1, await(whole.store().stats(List.of(BOOKS))).getFirst().documents());
        whole.reopen();
        DocumentStore again = whole.store().seenBy(as("user:ann"));
        assertFalse(await(again.get(List.of(BOOKS), stored.id())).isPresent());
        assertEquals(List.of(), await(again.stats(List.of(BOOKS))), "after a restart, too");
        allow(stored, "everyone");
        SearchResult found = await(again.search(new SearchRequest(
                "granite",
                Optional.of(new SearchRequest.QueryVector("m", up)),
                List.of(BOOKS),
                new Filter.All(),
                3,
                Fusion.standard())));
        assertEquals(stored.id(), found.hits().getFirst().chunk().document().id());
        assertTrue(found.hits().getFirst().vector().isPresent(), "its vector is still there");
    }

    private void allow(StoredDocument document, String... names) {
        await(whole.store()
                        .describe(
                                List.of(BOOKS),
                                document.id(),
                                new DocumentDescription(
                                        document.title(),
                                        document.metadata(),
                                        AllowedReaders.anyOf(List.of(names)),
                                        "")))
                .orElseThrow();
    }

    /** Beyond the bound on comparing all, too, where a graph of all vectors is asked. */
    @Test
    void noHiddenVectorIsFoundAmongManyThatAreVisible() {
        for (int document = 0; document < 15; document++) {
            List<Chunk> chunks = IntStream.range(0, 1000)
                    .mapToObj(_ -> Chunk.of(0, 1).withVector(vector()))
                    .toList();
            AllowedReaders allow = document % 5 == 0 ? AllowedReaders.anyOf(List.of("group:hr")) : AllowedReaders.ALL;
            DocumentDetails details = new DocumentDetails("d" + document, "", "md", null, "h", Json.object(), allow);
            whole.put(BOOKS, new NewDocument(details, "x", "m", chunks));
        }
        DocumentStore other = whole.store().seenBy(as("group:it"));
        for (int query = 0; query < 20; query++) {
            SearchResult found = await(other.search(new SearchRequest(
                    "",
                    Optional.of(new SearchRequest.QueryVector("m", vector())),
                    List.of(BOOKS),
                    new Filter.All(),
                    200,
                    new Fusion.VectorOnly())));
            assertEquals(200, found.hits().size());
            found.hits()
                    .forEach(hit -> assertFalse(hit.chunk().document().allow().restricted(), hit::toString));
        }
    }

    /** Whatever writes a document anew keeps who reads it: other vectors, another analysis, another description. */
    @Test
    void whatRewritesADocumentKeepsWhoReadsIt() {
        StoredDocument secret = put(as("group:hr"), "pay", "what all earn", "group:hr");
        await(whole.store().giveVectors(List.of(BOOKS), secret.id(), "other", List.of(Map.of())));
        hidden(secret, "after other vectors");
        await(whole.store()
                .describe(
                        List.of(BOOKS),
                        secret.id(),
                        new DocumentDescription("Title", Json.object(), secret.allow(), "more words")));
        hidden(secret, "after another description");
        whole.closeStore();
        try (StoreFixture copy = new StoreFixture(whole.vertx, folder.resolve("copy"))) {
            await(whole.store().backup(folder.resolve("copy")));
            assertEquals(
                    List.of(), await(copy.store().seenBy(as("group:it")).get(List.of(BOOKS), List.of(secret.id()))));
            assertEquals(List.of(), await(copy.store().seenBy(as("group:it")).stats(List.of(BOOKS))));
        }
    }

    private void hidden(StoredDocument secret, String when) {
        assertFalse(
                await(whole.store().seenBy(as("group:it")).get(List.of(BOOKS), secret.id()))
                        .isPresent(),
                when);
        assertTrue(
                await(whole.store().seenBy(as("group:hr")).get(List.of(BOOKS), secret.id()))
                        .isPresent(),
                when);
    }

    @Test
    void readersHaveOneForm() {
        for (String wrong : List.of("ann", "user:", "group:", "Everyone", "users:ann", "", "everyone:")) {
            assertThrows(IllegalArgumentException.class, () -> AllowedReaders.of(List.of(wrong)), wrong);
        }
        assertEquals(
                List.of("group:a", "user:b"),
                AllowedReaders.of(List.of("user:b", "group:a", "user:b")).shown());
        List<String> many = IntStream.rangeClosed(0, AllowedReaders.MAX)
                .mapToObj(i -> "user:" + i)
                .toList();
        assertThrows(IllegalArgumentException.class, () -> AllowedReaders.of(many));
        assertThrows(
                IllegalArgumentException.class,
                () -> AllowedReaders.of(List.of("user:" + "x".repeat(AllowedReaders.MAX_LENGTH))));
        assertEquals(AllowedReaders.ALL, AllowedReaders.of(List.of("everyone", "user:ann")));
        assertThrows(IllegalArgumentException.class, () -> AllowedReaders.of(List.of("user:\ud800")));
        assertFalse(as("user:ann").permits(AllowedReaders.anyOf(List.of("role:other"))), "of a later version");
    }
}
