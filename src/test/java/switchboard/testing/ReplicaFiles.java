package switchboard.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Map;
import java.util.TreeMap;
import switchboard.auth.ApiKey;

/** The files of gateways that share a database, with the teams {@code red} and {@code blue}, and others that a test needs. */
final class ReplicaFiles {
    private static final String STATE_KEY = "a key that is long enough for this";

    /** What a gateway has whose documents have no vectors. */
    static final String NO_VECTORS = "embedders: { default: { provider: none } }\n";

    private final ApiKey red = ApiKey.generate(new SecureRandom());
    private final ApiKey blue = ApiKey.generate(new SecureRandom());
    private final Map<String, ApiKey> keys = new TreeMap<>();
    private final Map<String, String> others;
    private final String settings;

    /**
     * Files of gateways that relay a server.
     *
     * @param schema the schema that they share
     * @param publicUrl where their clients find them
     * @param fixture the server that they relay
     * @param embedders the section of that name
     * @param more further backends and sections
     * @param others further teams, by name, with what they have besides a key and grants, such as {@code limits: {callsPerDay: 9}}
     */
    ReplicaFiles(String schema, URI publicUrl, URI fixture, String embedders, String more, Map<String, String> others) {
        this.others = new TreeMap<>(others);
        others.keySet().forEach(team -> keys.put(team, ApiKey.generate(new SecureRandom())));
        this.settings = """
                server: { SERVERstateKey: "${file:FOLDER/state.key}", publicUrl: "%s" }
                auth: { mode: keys, anonymous: { team: red } }
                cluster: { database: "${file:FOLDER/database.url}", schema: %s, node: NODE }
                %sbackends:
                  vectordb: { type: vectordb }
                  fixture: { type: mcp, url: "%s" }
                %s
                """.formatted(publicUrl, schema, embedders, fixture, more);
    }

    /**
     * Writes those of a gateway; returns its configuration.
     *
     * @param own where they are to be
     * @param node the gateway's name
     * @param database the URL of the database
     * @param server the beginning of its section {@code server}
     */
    Path write(Path own, String node, String database, String server) {
        try {
            Files.createDirectories(own);
            Files.writeString(own.resolve("state.key"), STATE_KEY);
            Files.writeString(own.resolve("database.url"), database);
            Files.writeString(own.resolve("teams.yaml"), teams());
            return Files.writeString(
                    own.resolve("switchboard.yaml"),
                    settings.replace("FOLDER", own.toString())
                            .replace("SERVER", server)
                            .replace("NODE", node));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String teams() {
        StringBuilder teams = new StringBuilder("""
                teams:
                  red:
                    keys: [{id: r1, sha256: %s}]
                    grants: ["*:*"]
                  blue:
                    keys: [{id: b1, sha256: %s}]
                    grants: ["*:*"]
                """.formatted(red.sha256(), blue.sha256()));
        others.forEach((team, more) ->
                teams.append("""
                  %s:
                    keys: [{id: %s1, sha256: %s}]
                    grants: ["*:*"]
                    %s
                """.formatted(team, team, keys.get(team).sha256(), more)));
        return teams.toString();
    }

    /** The headers of the team {@code red}. */
    Map<String, String> red() {
        return Map.of("X-API-Key", red.text());
    }

    /** The headers of the team {@code blue}. */
    Map<String, String> blue() {
        return Map.of("X-API-Key", blue.text());
    }

    /** The headers of another team. */
    Map<String, String> of(String team) {
        return Map.of("X-API-Key", keys.get(team).text());
    }
}
