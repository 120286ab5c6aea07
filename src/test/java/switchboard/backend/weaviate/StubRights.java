package switchboard.backend.weaviate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import switchboard.call.Json;

/** Who may do what on the stub: everybody everything, an admin list, or roles. Refuses in Weaviate's words as recorded. */
final class StubRights {
    /** A user with an {@code action collection} for each right; {@code * *} is an administrator. */
    private record User(String name, Set<String> rights) {
        boolean may(String action, String collection) {
            return rights.contains("* *")
                    || rights.contains(action + " *")
                    || rights.contains(action + " " + collection);
        }
    }

    /** How the server decides. */
    private enum Authorizer {
        NONE,
        ADMIN_LIST,
        ROLES
    }

    private final Map<String, User> users = new HashMap<>();
    private Authorizer authorizer = Authorizer.NONE;

    /** An admin list: {@code right} is admin, reader, or empty. */
    synchronized void adminList(String key, String name, String right) {
        authorizer = Authorizer.ADMIN_LIST;
        users.put(
                key,
                new User(name, right.equals("admin") ? Set.of("* *") : right.isEmpty() ? Set.of() : Set.of("R *")));
    }

    /** Roles: {@code rights} are {@code read_data AuthArticle} and so on. */
    synchronized void role(String key, String name, String... rights) {
        authorizer = Authorizer.ROLES;
        users.put(key, new User(name, Set.of(rights)));
    }

    /** Why the request is refused, if it is. */
    synchronized Optional<StubAnswer> refuse(String method, String uri, JsonNode body, @Nullable String authorization) {
        if (authorizer == Authorizer.NONE || uri.startsWith("/v1/.well-known")) {
            return Optional.empty();
        }
        if (authorization == null || !authorization.startsWith("Bearer ")) {
            return Optional.of(
                    StubAnswer.malformed(
                            401,
                            401,
                            "anonymous access not enabled. Please authenticate through one of the available methods: [API-keys]"));
        }
        User user = users.get(authorization.substring("Bearer ".length()));
        if (user == null) {
            return Optional.of(StubAnswer.malformed(401, 401, "unauthorized: invalid api key"));
        }
        String[] path = uri.replaceFirst("\\?.*", "").substring(1).split("/", -1);
        return switch (method + " " + path[1] + " " + path.length) {
            case "POST schema 2" ->
                missing(user, "create_collections", body.path("class").asText(), "#");
            case "GET schema 3" -> missing(user, "read_collections", path[2], "#");
            case "GET nodes 2" -> missing(user, "read_nodes", "", "");
            case "GET objects 4" -> missing(user, "read_data", path[2], path[3]);
            case "GET objects 2" -> list(user, uri);
            case "POST batch 3" -> upsert(user, body);
            case "DELETE batch 3" ->
                delete(user, body.path("match").path("class").asText());
            case "POST graphql 2" -> graphQl(user, body);
            default -> Optional.empty();
        };
    }

    private Optional<StubAnswer> list(User user, String uri) {
        String collection = uri.replaceFirst(".*[?&]class=([^&]*).*|.*", "$1");
        return collection.isEmpty()
                ? missing(user, "read_data", "*", "*")
                : words(user, "read_data", collection, "*")
                        .map(words -> StubAnswer.refused(403, "msg:" + words + " code:403 err:" + words));
    }

    private Optional<StubAnswer> upsert(User user, JsonNode body) {
        Set<String> collections = new LinkedHashSet<>();
        body.path("objects")
                .forEach(object -> collections.add(object.path("class").asText()));
        for (String action : new String[] {"update_data", "create_data"}) {
            for (String collection : collections) {
                Optional<StubAnswer> missing = missing(user, action, collection, "*");
                if (missing.isPresent()) {
                    return missing;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<StubAnswer> delete(User user, String collection) {
        return missing(user, "delete_data", collection, "*").or(() -> words(user, "read_data", collection, "*")
                .map(words -> StubAnswer.refused(403, "validate: invalid where filter: " + words)));
    }

    private Optional<StubAnswer> graphQl(User user, JsonNode body) {
        String introspection =
                "due to GraphQL introspection, this role must have the permission to `read_collections` on"
                        + " `*` (all) collections: ";
        Optional<StubAnswer> hidden =
                words(user, "read_collections", "*", "#").map(words -> StubAnswer.refused(403, introspection + words));
        boolean search = body.path("query").asText().startsWith("{Get{") || body.has("variables");
        if (hidden.isPresent() || !search) {
            return hidden;
        }
        String collection = GraphQlDocument.read(body).collection();
        return words(user, "read_data", collection, "*").map(words -> {
            var answer = Json.object();
            answer.putObject("data").putObject("Get").putNull(collection);
            answer.putArray("errors").addObject().put("message", words);
            return StubAnswer.json(200, answer);
        });
    }

    private Optional<StubAnswer> missing(User user, String action, String collection, String object) {
        return words(user, action, collection, object).map(words -> StubAnswer.refused(403, words));
    }

    private Optional<String> words(User user, String action, String collection, String object) {
        boolean roles = authorizer == Authorizer.ROLES;
        String letter = action.substring(0, 1).toUpperCase(java.util.Locale.ROOT);
        if (user.may(roles ? action : letter, collection)) {
            return Optional.empty();
        }
        boolean data = action.endsWith("_data");
        String what;
        if (action.equals("read_nodes")) {
            what = roles ? "[[Domain: nodes, Verbosity: minimal]]" : "[nodes/verbosity/minimal]";
        } else if (roles) {
            what = data
                    ? "[[Domain: data, Collection: " + collection + ", Tenant: *, Object: " + object + "]]"
                    : "[[Domain: collections, Collection: " + collection + "]]";
        } else {
            what = data
                    ? "[data/collections/" + collection + "/shards/*/objects/" + object + "]"
                    : "[schema/collections/" + collection + "/shards/#]";
        }
        return Optional.of((roles ? "rbac" : "adminlist") + ": authorization, forbidden action: user '" + user.name()
                + "' has insufficient permissions to " + (roles ? action : letter) + " " + what);
    }

    /** Those of {@code all} that the user may see; null for a user on no admin list. */
    synchronized JsonNode visible(ArrayNode all, String field, String action, @Nullable String authorization) {
        if (authorizer == Authorizer.NONE || authorization == null) {
            return all;
        }
        User user = users.getOrDefault(authorization.replaceFirst("^Bearer ", ""), new User("", Set.of()));
        boolean roles = authorizer == Authorizer.ROLES;
        ArrayNode visible = Json.array();
        all.forEach(entry -> {
            if (user.may(roles ? action : "R", entry.path(field).asText())) {
                visible.add(entry);
            }
        });
        boolean nothing = visible.isEmpty() && !roles && field.equals("class");
        return nothing ? Json.mapper().nullNode() : visible;
    }
}
