package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import switchboard.config.Secret;
import switchboard.testing.BackendHarness;
import switchboard.testing.ToolResult;
import switchboard.upstream.UpstreamSettings;

/** What the gateway's key may do in Weaviate decides what a tool answers, and the answer names the missing right. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class RightsContractTest {
    private final KeyedEngine roles = KeyedEngine.withRoles();
    private final KeyedEngine lists = KeyedEngine.withAdminList();

    @AfterAll
    void close() {
        roles.close();
        lists.close();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ''| rbac-norole-schema-one | weaviate-collections-get-config | {"collection_name":"%s"} | DENIED_UPSTREAM | read_collections
            ''| rbac-norole-schema-all | weaviate-collections-get-config | {} | | {"collections":[]}
            ''| rbac-norole-schema-one | weaviate-query-hybrid | {"collection_name":"%s","query":"x","alpha":0} | DENIED_UPSTREAM | read_collections
            ''| rbac-norole-create | weaviate-collections-create | {"collection_name":"AuthNew"} | DENIED_UPSTREAM | create_collections
            ''| rbac-norole-tenants | weaviate-tenants-list | {"collection_name":"AuthMt"} | | "total":0
            ''| rbac-norole-schema-one rbac-norole-object-get | weaviate-objects-get | {"collection_name":"%s","uuids":["00000000-0000-4000-8000-000000000001"]} | DENIED_UPSTREAM | read_data
            read_data | rbac-norole-schema-one rbac-reader-object-get | weaviate-objects-get | {"collection_name":"%s","uuids":["00000000-0000-4000-8000-000000000001"]} | | 00000000-0000-4000-8000-000000000001
            update_data | rbac-norole-schema-one rbac-step1-upsert | weaviate-objects-upsert | {"collection_name":"%s","objects":[{"uuid":"00000000-0000-4000-8000-000000000009","properties":{"title":"x"}}]} | DENIED_UPSTREAM | create_data
            update_data create_data | rbac-norole-schema-one rbac-step2-upsert | weaviate-objects-upsert | {"collection_name":"%s","objects":[{"uuid":"00000000-0000-4000-8000-000000000009","properties":{"title":"x"}}]} | | {"id":"00000000-0000-4000-8000-000000000009"}
            ''| rbac-norole-schema-one rbac-norole-delete-dry | weaviate-objects-delete | {"collection_name":"%s","where":{"path":["status"],"operator":"Equal","valueText":"draft"}} | DENIED_UPSTREAM | delete_data
            delete_data read_collections | rbac-reader-schema-one rbac-step4-delete-dry | weaviate-objects-delete | {"collection_name":"%s","where":{"path":["title"],"operator":"Equal","valueText":"zzz"}} | DENIED_UPSTREAM | read_data
            delete_data read_data read_collections | rbac-reader-schema-one rbac-step5-delete-dry | weaviate-objects-delete | {"collection_name":"%s","where":{"path":["title"],"operator":"Equal","valueText":"zzz"}} | | "matches":0
            read_collections read_data | rbac-reader-schema-one rbac-step5-graphql | weaviate-query-hybrid | {"collection_name":"%s","query":"learning","alpha":0} | DENIED_UPSTREAM | read_collections on all collections
            read_collections* read_data | rbac-reader-schema-one rbac-step6-graphql | weaviate-query-hybrid | {"collection_name":"%s","query":"learning","alpha":0} | | Deep Learning
            read_collections* | rbac-reader-schema-one rbac-step6-graphql-hidden | weaviate-query-hybrid | {"collection_name":"%s","query":"learning","alpha":0} | DENIED_UPSTREAM | read_data
            """)
    void rolesDecide(String rights, String recordings, String tool, String arguments, String kind, String part) {
        holds(roles, rights, recordings, tool, arguments, kind, part);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            norole | adminlist-norole-schema-one | weaviate-collections-get-config | {"collection_name":"%s"} | DENIED_UPSTREAM | to read
            norole | adminlist-norole-schema-all | weaviate-collections-get-config | {} | | {"collections":[]}
            norole | adminlist-norole-tenants | weaviate-tenants-list | {"collection_name":"AuthMt"} | | "total":0
            norole | adminlist-norole-create | weaviate-collections-create | {"collection_name":"AuthNew"} | DENIED_UPSTREAM | to create
            norole | adminlist-norole-schema-one adminlist-norole-object-get | weaviate-objects-get | {"collection_name":"%s","uuids":["00000000-0000-4000-8000-000000000001"]} | DENIED_UPSTREAM | to read
            norole | adminlist-norole-schema-one adminlist-norole-upsert | weaviate-objects-upsert | {"collection_name":"%s","objects":[{"properties":{"title":"x"}}]} | DENIED_UPSTREAM | to
            reader | adminlist-reader-schema-one | weaviate-collections-get-config | {"collection_name":"%s"} | | "class":"
            reader | adminlist-reader-tenants | weaviate-tenants-list | {"collection_name":"AuthMt"} | | "total":2
            reader | adminlist-reader-schema-one adminlist-reader-graphql | weaviate-query-hybrid | {"collection_name":"%s","query":"learning","alpha":0} | | Deep Learning
            reader | adminlist-reader-create | weaviate-collections-create | {"collection_name":"AuthNew"} | DENIED_UPSTREAM | to create
            reader | adminlist-reader-schema-one adminlist-reader-upsert | weaviate-objects-upsert | {"collection_name":"%s","objects":[{"properties":{"title":"x"}}]} | DENIED_UPSTREAM | to
            reader | adminlist-reader-schema-one adminlist-reader-delete-dry | weaviate-objects-delete | {"collection_name":"%s","where":{"path":["status"],"operator":"Equal","valueText":"draft"}} | DENIED_UPSTREAM | to delete
            """)
    void adminListsDecide(String user, String recordings, String tool, String arguments, String kind, String part) {
        holds(lists, user, recordings, tool, arguments, kind, part);
    }

    private static void holds(
            KeyedEngine engine,
            String rights,
            String recordings,
            String tool,
            String arguments,
            String kind,
            String part) {
        engine.expect(recordings.split(" "));
        String key = engine.key(rights);
        WeaviateSettings settings = new WeaviateSettings(
                engine.url(),
                Secret.of(key),
                true,
                new WeaviateSettings.Logs(false, null, null, null),
                null,
                Duration.ofSeconds(30),
                UpstreamSettings.defaults());
        try (BackendHarness gateway = BackendHarness.start(new WeaviateModule(), settings, Path.of("target"))) {
            ToolResult result = gateway.call(
                    tool,
                    arguments
                            .replace("%s", engine.name("AuthArticle"))
                            .replaceAll("\"(AuthNew|AuthMt)\"", "\"" + engine.name("$1") + "\""));
            assertEquals(kind == null ? "" : kind, result.errorKind(), result::toString);
            assertTrue(result.text().contains(part), result::toString);
            assertFalse(result.toString().contains(key), result::toString);
        }
        engine.verify();
    }
}
