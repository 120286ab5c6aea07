package switchboard.backend.weaviate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import switchboard.call.Json;

/**
 * A Weaviate with keys that may do less than everything: recorded, or a real one where the environment names it. It
 * holds {@code AuthArticle} with an object and {@code AuthMt} with two tenants.
 */
abstract class KeyedEngine implements AutoCloseable {
    /** The object in {@code AuthArticle}. */
    static final String OBJECT = "00000000-0000-4000-8000-000000000001";

    /**
     * Role-based access control, with users, keys and roles of the test's own: {@code WEAVIATE_RBAC_URL} and an
     * administrator's {@code WEAVIATE_RBAC_KEY}, on a server with {@code AUTHENTICATION_DB_USERS_ENABLED}.
     */
    static KeyedEngine withRoles() {
        String url = System.getenv("WEAVIATE_RBAC_URL");
        return url == null
                ? new Recorded()
                : new Roles(URI.create(url), System.getenv().getOrDefault("WEAVIATE_RBAC_KEY", ""));
    }

    /**
     * An admin list: {@code WEAVIATE_ADMINLIST_URL} and {@code WEAVIATE_ADMINLIST_KEYS}, those of an administrator, of
     * a user who may only read, and of one on no list, with commas between.
     */
    static KeyedEngine withAdminList() {
        String url = System.getenv("WEAVIATE_ADMINLIST_URL");
        return url == null
                ? new Recorded()
                : new AdminList(
                        URI.create(url),
                        List.of(System.getenv()
                                .getOrDefault("WEAVIATE_ADMINLIST_KEYS", "")
                                .split(",")));
    }

    /** Where it is. */
    abstract URI url();

    /** What the collection {@code plain} is called here. */
    abstract String name(String plain);

    /** A key with these rights: actions and {@code *} with blanks between, or the name of a user. */
    abstract String key(String rights);

    /** The exchanges that the next call may cause; a real server answers whatever comes. */
    void expect(String... recordings) {}

    /** Fails if something else was asked. */
    void verify() {}

    @Override
    public abstract void close();

    private static final class Recorded extends KeyedEngine {
        private final StubWeaviate stub = new StubWeaviate();

        @Override
        URI url() {
            return stub.url();
        }

        @Override
        String name(String plain) {
            return plain;
        }

        @Override
        String key(String rights) {
            return "norole-key";
        }

        @Override
        void expect(String... recordings) {
            stub.play(recordings);
        }

        @Override
        void verify() {
            assertEquals(List.of(), stub.unexpected());
        }

        @Override
        public void close() {
            stub.close();
        }
    }

    private abstract static class Real extends KeyedEngine {
        final TestEngine admin;

        Real(URI url, String adminKey) {
            admin = new TestEngine(url, adminKey);
            admin.collection("AuthArticle", TestEngine.properties("title:text", "status:text"));
            admin.put("AuthArticle", "[{\"id\":\"" + OBJECT + "\",\"properties\":{\"title\":\"Deep Learning\"}}]");
            admin.collection("AuthMt", "\"multiTenancyConfig\":{\"enabled\":true}");
            admin.request(
                    "POST",
                    "/v1/schema/" + admin.name("AuthMt") + "/tenants",
                    "[{\"name\":\"tenant-a\"},{\"name\":\"tenant-b\"}]");
            admin.fresh("AuthNew");
        }

        @Override
        URI url() {
            return admin.url();
        }

        @Override
        String name(String plain) {
            return admin.name(plain);
        }

        @Override
        public void close() {
            admin.close();
        }
    }

    private static final class Roles extends Real {
        private final List<String> made = new ArrayList<>();

        Roles(URI url, String adminKey) {
            super(url, adminKey);
        }

        @Override
        String key(String rights) {
            String name = "switchboard" + UUID.randomUUID().toString().replace("-", "");
            try {
                String key = Json.parse(admin.request("POST", "/v1/users/db/" + name, "{}"))
                        .path("apikey")
                        .asText();
                made.add("/v1/users/db/" + name);
                if (!rights.isBlank()) {
                    ObjectNode role = Json.object().put("name", name);
                    role.set("permissions", permissions(rights));
                    admin.request("POST", "/v1/authz/roles", Json.text(role));
                    made.add("/v1/authz/roles/" + name);
                    admin.request(
                            "POST",
                            "/v1/authz/users/" + name + "/assign",
                            "{\"roles\":[\"" + name + "\"],\"userType\":\"db\"}");
                }
                return key;
            } catch (JsonProcessingException e) {
                throw new AssertionError(e);
            }
        }

        private ArrayNode permissions(String rights) {
            ArrayNode permissions = Json.array();
            for (String right : rights.split(" ")) {
                String action = right.replace("*", "");
                String subject = action.substring(action.indexOf('_') + 1);
                ObjectNode where = permissions.addObject().put("action", action).putObject(subject);
                where.put("collection", right.endsWith("*") ? "*" : admin.name("AuthArticle"));
            }
            return permissions;
        }

        @Override
        public void close() {
            made.reversed().forEach(path -> admin.request("DELETE", path, ""));
            super.close();
        }
    }

    private static final class AdminList extends Real {
        private final List<String> keys;

        AdminList(URI url, List<String> keys) {
            super(url, keys.getFirst());
            this.keys = keys;
        }

        @Override
        String key(String rights) {
            return rights.equals("reader") ? keys.get(1) : keys.get(2);
        }
    }
}
