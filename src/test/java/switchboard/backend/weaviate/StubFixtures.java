package switchboard.backend.weaviate;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What was on the servers that the recordings were made with, made through the stub's interface as on those. */
final class StubFixtures {
    private static final String NAMED = "\"vectorConfig\":{\"default\":{\"vectorizer\":{\"none\":{}}}}";

    /** The recordings that come before others. */
    private static final Map<String, List<String>> BEFORE = Map.ofEntries(
            Map.entry("upsert-replace-after", List.of("upsert-three-ok", "upsert-replace")),
            Map.entry("upsert-duplicate-id-after", List.of("upsert-duplicate-id")),
            Map.entry("upsert-unicode-after", List.of("upsert-null-and-unicode")),
            Map.entry("upsert-unknown-class-autoschema-after", List.of("upsert-unknown-class-autoschema")),
            Map.entry("upsert-named-dim-mismatch", List.of("upsert-named-vectors")),
            Map.entry("object-get-named-vectors", List.of("upsert-two-vectors")),
            Map.entry("delete-real-no-dryrun-key", List.of("delete-real-equal")),
            Map.entry("delete-real-again", List.of("delete-real-equal")),
            Map.entry("delete-real-equal-after", List.of("delete-real-equal")),
            Map.entry("delete-real-verbose", List.of("delete-real-equal")),
            Map.entry("delete-real-all-class-stays", List.of("delete-real-all")),
            Map.entry("cap-delete-real-2", List.of("cap-delete-real-1")),
            Map.entry("cap-delete-real-3", List.of("cap-delete-real-1", "cap-delete-real-2")),
            Map.entry("cap-delete-real-4", List.of("cap-delete-real-1", "cap-delete-real-2", "cap-delete-real-3")),
            Map.entry("tenants-list", List.of("tenants-create-new-vocabulary")),
            Map.entry("tenants-list-lowercase-class", List.of("tenants-create-new-vocabulary")),
            Map.entry("schema-create-duplicate", List.of("schema-create-minimal")),
            Map.entry("schema-create-duplicate-case", List.of("schema-create-minimal")),
            Map.entry("schema-create-cross-reference", List.of("schema-create-author")),
            Map.entry("schema-get-one", List.of("schema-create-minimal")),
            Map.entry("schema-get-one-no-consistency", List.of("schema-create-minimal")),
            Map.entry("schema-get-one-lowercase-first", List.of("schema-create-minimal")));

    /** The rights of the user norole in the steps of one recording session. */
    private static final Map<String, String[]> STEPS = Map.of(
            "step1", new String[] {"update_data AuthArticle"},
            "step2", new String[] {"update_data AuthArticle", "create_data AuthArticle"},
            "step3", new String[] {"update_data AuthArticle", "create_data AuthArticle"},
            "step4", new String[] {"delete_data AuthArticle", "read_collections AuthArticle"},
            "step5", new String[] {"delete_data AuthArticle", "read_collections AuthArticle", "read_data AuthArticle"},
            "step6", new String[] {"read_collections *", "read_data AuthArticle"});

    private StubFixtures() {}

    /** Makes what the recording {@code name} was made with; the recordings to ask first. */
    static List<String> prepare(StubWeaviate stub, String name) {
        TestEngine engine = new TestEngine(stub);
        String group = name.replaceFirst("-.*", "");
        switch (group) {
            case "rbac", "adminlist", "auth" -> rights(stub, engine, name);
            case "cap" -> capped(stub, engine);
            case "schema" -> {
                // Made by the recordings themselves.
            }
            default -> ordinary(stub, engine, name);
        }
        return BEFORE.getOrDefault(name, List.of());
    }

    private static void ordinary(StubWeaviate stub, TestEngine engine, String name) {
        engine.articlesToGet();
        engine.articlesToDelete("DeleteArticle");
        engine.articlesOfTenants();
        engine.articles();
        engine.articlesWithVectors();
        engine.articlesWithTwoVectors();
        engine.articlesIn("NamedArticle", NAMED, ",\"vectors\":{\"default\":%1$s}");
        engine.collection("MtEmpty", "\"multiTenancyConfig\":{\"enabled\":true}");
        engine.mixed();
        String plain = TestEngine.properties(
                "title:text", "year:int", "rating:number", "ok:boolean", "when:date", "tags:text[]");
        engine.collection(
                "UpArticle",
                plain.substring(0, plain.length() - 1)
                        + ",{\"name\":\"meta\",\"dataType\":[\"object\"],\"nestedProperties\":"
                        + "[{\"name\":\"k\",\"dataType\":[\"text\"]},{\"name\":\"n\",\"dataType\":[\"int\"]}]}]");
        if (name.equals("upsert-two-vectors") || name.equals("object-get-named-vectors")) {
            String none = "{\"vectorizer\":{\"none\":{}},\"vectorIndexType\":\"hnsw\"}";
            engine.collection("TwoVec", "\"vectorConfig\":{\"title_vec\":" + none + ",\"body_vec\":" + none + "}");
        }
        numbered(engine, "LimArticle", 130);
        numbered(engine, "TieArticle", 5);
        engine.collection(
                "Exact", "\"properties\":[{\"name\":\"t\",\"dataType\":[\"text\"],\"tokenization\":\"field\"}]");
        engine.put("Exact", """
                [{"id":"%s","properties":{"t":"a\\"b\\\\c\\n{}} 日本 🙂"}},{"id":"%s","properties":{"t":"日本"}}]
                """.formatted(TestEngine.id(10, 1), TestEngine.id(10, 2)));
        if (name.contains("noauto")) {
            engine.collection("NoAuto", TestEngine.properties("title:text"));
            stub.withoutAutoSchema();
        }
    }

    private static void numbered(TestEngine engine, String name, int many) {
        engine.collection(name, TestEngine.properties("title:text", "n:int"));
        engine.put(
                name,
                IntStream.rangeClosed(1, many)
                        .mapToObj(i -> "{\"id\":\"" + TestEngine.id(9, i)
                                + "\",\"properties\":{\"title\":\"same\",\"n\":" + i + "}}")
                        .collect(Collectors.joining(",", "[", "]")));
    }

    private static void capped(StubWeaviate stub, TestEngine engine) {
        engine.collection("CapArticle", TestEngine.properties("title:text", "year:int"));
        engine.put(
                "CapArticle",
                IntStream.range(0, 120)
                        .mapToObj(i -> "{\"id\":\"" + TestEngine.id(6, i + 1)
                                + "\",\"properties\":{\"title\":\"cap word\",\"year\":" + i + "}}")
                        .collect(Collectors.joining(",", "[", "]")));
        stub.maximumResults(50);
    }

    private static void rights(StubWeaviate stub, TestEngine engine, String name) {
        engine.articlesIn("AuthArticle", "", "");
        engine.collection("AuthHidden", TestEngine.properties("title:text"));
        engine.collection("AuthMt", TestEngine.properties("title:text") + ",\"multiTenancyConfig\":{\"enabled\":true}");
        engine.request("POST", "/v1/schema/AuthMt/tenants", "[{\"name\":\"tenant-a\"},{\"name\":\"tenant-b\"}]");
        StubRights rights = stub.rights();
        if (name.startsWith("adminlist")) {
            rights.adminList("admin-key", "admin", "admin");
            rights.adminList("reader-key", "reader", "reader");
            rights.adminList("norole-key", "norole", "");
            return;
        }
        rights.role("admin-key", "admin", "* *");
        rights.role(
                "reader-key",
                "reader",
                "read_collections AuthArticle",
                "read_data AuthArticle",
                "read_tenants AuthMt tenant-a");
        rights.role("norole-key", "norole", STEPS.getOrDefault(name.split("-", -1)[1], new String[0]));
    }
}
