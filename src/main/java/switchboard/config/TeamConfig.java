package switchboard.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One team. */
public record TeamConfig(
        @Doc("Its keys. Several may be valid at once, so that a key can be replaced without interruption.")
        List<TeamKeyConfig> keys,

        @Doc("Its permissions: `<backend>:<verbs>[:<resource glob>]`, with `*` for every backend or verb. Verbs: read"
                + " search create update delete admin files fetch embed llm.")
        List<String> grants,

        @Doc(
                "By backend, the values its calls are bound to there: `owner`, `user`, `groups` and `documents` in the embedded"
                        + " stores, `tenant` and `where` in Weaviate, `filter` in Meilisearch, `role` in PostgreSQL. `{claim:<name>}`, `{list:<name>}`,"
                        + " `{principal}` and `{team}` in a value are replaced; a caller without the claim is refused.")
        Map<String, Map<String, String>> bindings,

        @Doc("The views it may use; `default` is `/mcp`. Every other URL is 404 for it. If missing: all views.")
        @Nullable
        Set<String> views,

        @Doc("Its limits.") TeamLimitsConfig limits,

        @Doc("Text that is replaced in its calls and their results.")
        TeamRedactionConfig redact) {
    public TeamConfig {
        keys = List.copyOf(keys);
        grants = List.copyOf(grants);
        bindings = Map.copyOf(bindings);
        views = views == null ? null : Set.copyOf(views);
    }

    /** The same with other keys. */
    public TeamConfig withKeys(List<TeamKeyConfig> others) {
        return new TeamConfig(others, grants, bindings, views, limits, redact);
    }
}
