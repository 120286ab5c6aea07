package switchboard.backend.weaviate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;
import switchboard.config.Secret;
import switchboard.embed.Embedder;
import switchboard.embed.Embedders;
import switchboard.testing.BackendHarness;
import switchboard.upstream.UpstreamSettings;

/**
 * The Weaviate that a contract suite runs on: the stub, or where {@code WEAVIATE_URL} (and {@code WEAVIATE_API_KEY}) say
 * so a real one, on which the suite makes collections of its own names and removes them.
 */
final class TestEngine implements AutoCloseable {
    private static final List<Article> ARTICLES = List.of(
            new Article(
                    "Machine Learning Basics",
                    "A first tour of machine learning methods and algorithms",
                    "John Doe",
                    2020,
                    "published",
                    "2020-01-15T10:00:00Z",
                    "[1,0,0]",
                    "[0,0,1]"),
            new Article(
                    "Deep Learning Advanced",
                    "Hard deep learning topics for trained neural networks",
                    "Jane Smith",
                    2022,
                    "published",
                    "2022-06-20T14:30:00Z",
                    "[0.9,0.1,0]",
                    "[0,0.1,0.9]"),
            new Article(
                    "Python Programming",
                    "Learn Python programming step by step",
                    "Bob Johnson",
                    2019,
                    "draft",
                    "2019-03-10T08:00:00Z",
                    "[0,1,0]",
                    "[0,1,0]"),
            new Article(
                    "Data Science Guide",
                    "A broad guide to data science and analytics",
                    "Alice Brown",
                    2023,
                    "published",
                    "2023-09-05T12:00:00Z",
                    "[0.2,0.2,0.9]",
                    "[0.9,0.2,0.2]"),
            new Article(
                    "Neural Networks Explained",
                    "How neural networks work and where they are used",
                    "John Doe",
                    2021,
                    "published",
                    "2021-11-30T16:45:00Z",
                    "[0.7,0.7,0]",
                    "[0,0.7,0.7]"));

    private final Optional<StubWeaviate> stub;
    private final URI url;
    private final @Nullable String key;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Set<String> made = new LinkedHashSet<>();

    private record Article(
            String title,
            String contents,
            String author,
            int year,
            String status,
            String publishDate,
            String vector,
            String reversed) {}

    TestEngine() {
        String real = System.getenv("WEAVIATE_URL");
        this.stub = real == null ? Optional.of(new StubWeaviate()) : Optional.empty();
        this.url = stub.map(StubWeaviate::url).orElseGet(() -> URI.create(String.valueOf(real)));
        this.key = real == null ? null : System.getenv("WEAVIATE_API_KEY");
    }

    /** The given stub, which whoever made it closes. */
    TestEngine(StubWeaviate given) {
        this.stub = Optional.of(given);
        this.url = given.url();
        this.key = null;
    }

    /** The real server at {@code url}, with an administrator's {@code key} if it wants one. */
    TestEngine(URI url, @Nullable String key) {
        this.stub = Optional.empty();
        this.url = url;
        this.key = key;
    }

    /** The stub, if this is one. */
    Optional<StubWeaviate> stub() {
        return stub;
    }

    URI url() {
        return url;
    }

    /** What the collection {@code plain} is called here. */
    String name(String plain) {
        return stub.isPresent() ? plain : "SwitchboardTest" + plain;
    }

    /** The gateway's backend in front of this engine, with writes. */
    BackendHarness gateway() {
        return BackendHarness.start(new WeaviateModule(), settings(), Path.of("target"));
    }

    /** The same with an embedder for collections that have no vectorizer. */
    BackendHarness gateway(Embedder embedder) {
        WeaviateSettings plain = settings();
        WeaviateSettings embedding = new WeaviateSettings(
                plain.url(), plain.apiKey(), true, plain.logs(), "test", plain.schemaCache(), plain.connection());
        Embedders embedders = new Embedders(Map.of("test", new Embedders.Named("test", embedder)), Set.of());
        return BackendHarness.start(new WeaviateModule(embedders), embedding, Path.of("target"));
    }

    WeaviateSettings settings() {
        return new WeaviateSettings(
                url,
                key == null ? null : Secret.of(key),
                true,
                new WeaviateSettings.Logs(true, WeaviateSettings.LogSourceType.GATEWAY, null, null),
                null,
                Duration.ofSeconds(30),
                UpstreamSettings.defaults());
    }

    /** Creates a collection; {@code rest} are further members of its definition, written as JSON without braces. */
    String collection(String plain, String rest) {
        String name = name(plain);
        drop(plain);
        made.add(plain);
        request("POST", "/v1/schema", "{\"class\":\"" + name + "\"" + (rest.isEmpty() ? "" : "," + rest) + "}");
        return name;
    }

    /** Notes that a test makes this collection, so that it is removed; it does not exist now. */
    String fresh(String plain) {
        drop(plain);
        made.add(plain);
        return name(plain);
    }

    void drop(String plain) {
        request("DELETE", "/v1/schema/" + name(plain), "");
    }

    /** Stores objects of one collection, each without its class, written as a JSON array. */
    void put(String plain, String objects) {
        try {
            ObjectNode body = Json.object();
            for (JsonNode object : Json.parse(objects)) {
                ((ObjectNode) object).put("class", name(plain));
                body.withArray("objects").add(object);
            }
            for (JsonNode entry : Json.parse(request("POST", "/v1/batch/objects", Json.text(body)))) {
                if (!entry.path("result").path("status").asText().equals("SUCCESS")) {
                    throw new AssertionError("fixture refused: " + entry);
                }
            }
        } catch (JsonProcessingException e) {
            throw new AssertionError(objects, e);
        }
    }

    /** The five articles: in {@code TestArticle} without vectors. */
    void articles() {
        articles("TestArticle", "", 0, 5, "", "");
    }

    /** The five articles with one unnamed vector each, in {@code VecArticle}. */
    void articlesWithVectors() {
        articles("VecArticle", "", 0, 5, ",\"vector\":%1$s", "");
    }

    /** The five articles with two named vectors each, in {@code TwoVec}. */
    void articlesWithTwoVectors() {
        String none = "{\"vectorizer\":{\"none\":{}},\"vectorIndexType\":\"hnsw\"}";
        articles(
                "TwoVec",
                "\"vectorConfig\":{\"title_vec\":" + none + ",\"body_vec\":" + none + "}",
                0,
                5,
                ",\"vectors\":{\"title_vec\":%1$s,\"body_vec\":%2$s}",
                "");
    }

    /** The five articles in {@code plain}; {@code rest} of its definition, {@code extra} for the vectors. */
    void articlesIn(String plain, String rest, String extra) {
        articles(plain, rest, 0, 5, extra, "");
    }

    /** An object with a value of each kind, in {@code Mixed}, and what it refers to. */
    void mixed() {
        collection("Author", properties("name:text"));
        put("Author", "[{\"id\":\"" + id(5, 1) + "\",\"properties\":{\"name\":\"Ada\"}}]");
        collection(
                "Mixed",
                "\"properties\":[{\"name\":\"title\",\"dataType\":[\"text\"]},{\"name\":\"by\",\"dataType\":[\""
                        + name("Author")
                        + "\"]},{\"name\":\"place\",\"dataType\":[\"geoCoordinates\"]},{\"name\":\"phone\",\"dataType\":[\"phoneNumber\"]},"
                        + "{\"name\":\"raw\",\"dataType\":[\"blob\"]},{\"name\":\"tags\",\"dataType\":[\"text[]\"]},{\"name\":\"u\",\"dataType\":[\"uuid\"]},"
                        + "{\"name\":\"meta\",\"dataType\":[\"object\"],\"nestedProperties\":[{\"name\":\"k\",\"dataType\":[\"text\"]},{\"name\":\"n\",\"dataType\":[\"int\"]}]}]");
        put(
                "Mixed",
                "[{\"id\":\"" + id(5, 2)
                        + "\",\"properties\":{\"title\":\"mixed bag\",\"by\":[{\"beacon\":\"weaviate://localhost/"
                        + name("Author") + "/" + id(5, 1)
                        + "\"}],\"place\":{\"latitude\":52.5,\"longitude\":13.4},"
                        + "\"phone\":{\"input\":\"020 1234567\",\"defaultCountry\":\"NL\"},\"raw\":\"aGVsbG8=\",\"tags\":[\"a\",\"b\"],"
                        + "\"u\":\"00000000-0000-4000-8005-000000000007\",\"meta\":{\"k\":\"v\",\"n\":3}}}]");
    }

    /** Three articles of tenant-a, two of tenant-b, and tenants without any, in {@code MtArticle}. */
    void articlesOfTenants() {
        articles("MtArticle", "\"multiTenancyConfig\":{\"enabled\":true}", 0, 0, "", "");
        request(
                "POST",
                "/v1/schema/" + name("MtArticle") + "/tenants",
                "[{\"name\":\"tenant-a\",\"activityStatus\":\"HOT\"},{\"name\":\"tenant-b\",\"activityStatus\":\"HOT\"},"
                        + "{\"name\":\"tenant-cold\",\"activityStatus\":\"COLD\"}]");
        put("MtArticle", articlesJson(0, 3, 1, ",\"tenant\":\"tenant-a\""));
        put("MtArticle", articlesJson(3, 5, 18, ",\"tenant\":\"tenant-b\""));
    }

    /** Five articles One to Five and thirty fillers, in {@code GetArticle}. */
    void articlesToGet() {
        collection("GetArticle", properties("title:text", "content:text", "year:int", "rating:number"));
        String[] numbers = {"One", "Two", "Three", "Four", "Five"};
        double[] ratings = {4.5, 4.8, 4.2, 4.9, 4.6};
        StringBuilder objects = new StringBuilder("[");
        for (int i = 0; i < 5; i++) {
            objects.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"" + id(1, i + 1) + "\",\"vector\":[" + i * 0.1 + ",0.5," + (1 - i * 0.1)
                            + "],\"properties\":{\"title\":\"Article " + numbers[i]
                            + "\",\"content\":\"Text of article "
                            + numbers[i].toLowerCase(java.util.Locale.ROOT) + "\",\"year\":" + (2020 + i)
                            + ",\"rating\":"
                            + ratings[i] + "}}");
        }
        for (int i = 1; i <= 30; i++) {
            objects.append(",{\"id\":\"" + id(2, i) + "\",\"properties\":{\"title\":\"Filler " + i
                    + "\",\"year\":1990,\"rating\":1}}");
        }
        put("GetArticle", objects.append(']').toString());
    }

    /** Five articles of several states, in {@code plain}. */
    void articlesToDelete(String plain) {
        collection(
                plain,
                properties(
                        "title:text",
                        "status:text",
                        "year:int",
                        "rating:number",
                        "featured:boolean",
                        "publishDate:date",
                        "tags:text[]"));
        String[] rows = {
            "Alpha,published,2020",
            "Beta,published,2022",
            "Gamma,published,2023",
            "Delta,draft,2021",
            "Epsilon,archived,2019"
        };
        StringBuilder objects = new StringBuilder("[");
        for (int i = 0; i < rows.length; i++) {
            String[] row = rows[i].split(",", -1);
            objects.append(i == 0 ? "" : ",")
                    .append("{\"id\":\"" + id(3, i + 1) + "\",\"properties\":{\"title\":\"Article " + row[0]
                            + "\",\"status\":\"" + row[1] + "\",\"year\":" + row[2] + ",\"rating\":"
                            + Integer.parseInt(row[2]) / 1000.0
                            + ",\"featured\":" + (i == 0) + ",\"publishDate\":\"" + row[2]
                            + "-05-01T00:00:00Z\",\"tags\":[\"" + row[1] + "\",\"t" + i + "\"]}}");
        }
        put(plain, objects.append(']').toString());
    }

    /** {@code properties} of a definition, each written {@code name:type}. */
    static String properties(String... properties) {
        StringBuilder json = new StringBuilder("\"properties\":[");
        for (String property : properties) {
            String[] parts = property.split(":", -1);
            json.append(json.charAt(json.length() - 1) == '[' ? "" : ",")
                    .append("{\"name\":\"" + parts[0] + "\",\"dataType\":[\"" + parts[1] + "\"]}");
        }
        return json.append(']').toString();
    }

    /** The id of object {@code number} of the kind {@code kind} of fixture. */
    static String id(int kind, int number) {
        return String.format("00000000-0000-4000-8%03d-%012d", kind, number);
    }

    private void articles(String plain, String rest, int from, int to, String extra, String end) {
        collection(
                plain,
                properties("title:text", "contents:text", "author:text", "year:int", "status:text", "publishDate:date")
                        + (rest.isEmpty() ? "" : "," + rest));
        if (to > from) {
            put(plain, articlesJson(from, to, 1, extra + end));
        }
    }

    private static String articlesJson(int from, int to, int shift, String extra) {
        StringBuilder json = new StringBuilder("[");
        for (int i = from; i < to; i++) {
            Article a = ARTICLES.get(i);
            json.append(i == from ? "" : ",")
                    .append("{\"id\":\"" + id(0, i + shift) + "\",\"properties\":{\"title\":\"" + a.title()
                            + "\",\"contents\":\"" + a.contents() + "\",\"author\":\"" + a.author() + "\",\"year\":"
                            + a.year() + ",\"status\":\"" + a.status() + "\",\"publishDate\":\"" + a.publishDate()
                            + "\"}" + String.format(extra, a.vector(), a.reversed()) + "}");
        }
        return json.append(']').toString();
    }

    /** Sends a request past the gateway; fails unless it succeeds. */
    String request(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (key != null) {
            request.header("Authorization", "Bearer " + key);
        }
        try {
            HttpResponse<String> answer = http.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2) {
                throw new AssertionError(method + " " + path + ": " + answer.statusCode() + " " + answer.body());
            }
            return answer.body();
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        made.forEach(this::drop);
        http.close();
        stub.ifPresent(StubWeaviate::close);
    }
}
