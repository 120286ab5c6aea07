package switchboard.catalog;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The URIs of resources that several relayed servers of a view call the same. The server whose id is the first in the
 * alphabet keeps the URI; the others have their id in it: {@code ui://app/chart.html} of {@code sales} is {@code
 * ui://sales__app/chart.html}. Immutable.
 */
public final class ResourceAliases {
    /** No two servers have the same URI. */
    public static final ResourceAliases NONE = new ResourceAliases(Map.of(), Map.of());

    private static final String AUTHORITY = "://";

    private final Map<String, Map<String, String>> shown;
    private final Map<String, OwnedResource> owners;

    /**
     * A resource of a server.
     *
     * @param backend the id of the server
     * @param uri its own URI
     */
    public record OwnedResource(String backend, String uri) {}

    private ResourceAliases(Map<String, Map<String, String>> shown, Map<String, OwnedResource> owners) {
        this.shown = shown;
        this.owners = owners;
    }

    /** The aliases for the URIs and URI templates that each server lists, by its id. */
    static ResourceAliases of(Map<String, ? extends Collection<String>> listed) {
        if (listed.size() < 2) {
            return NONE;
        }
        Map<String, Map<String, String>> shown = new HashMap<>();
        Map<String, OwnedResource> owners = new HashMap<>();
        new TreeMap<>(listed).forEach((backend, uris) -> uris.stream().sorted().forEach(uri -> {
            OwnedResource own = new OwnedResource(backend, uri);
            if (owners.putIfAbsent(uri, own) != null) {
                String alias = alias(backend, uri);
                owners.put(alias, own);
                shown.computeIfAbsent(backend, _ -> new HashMap<>()).put(uri, alias);
            }
        }));
        return new ResourceAliases(shown, owners);
    }

    private static String alias(String backend, String uri) {
        int at = afterScheme(uri);
        return uri.substring(0, at) + backend + ToolCatalog.SEPARATOR + uri.substring(at);
    }

    private static int afterScheme(String uri) {
        int authority = uri.indexOf(AUTHORITY);
        return authority < 0 ? uri.indexOf(':') + 1 : authority + AUTHORITY.length();
    }

    /** The URI under which the view shows {@code uri} of {@code backend}. */
    public String shown(String backend, String uri) {
        return shown.getOrDefault(backend, Map.of()).getOrDefault(uri, uri);
    }

    /** Whether the view shows a resource of {@code backend} under another URI. */
    public boolean concern(String backend) {
        return shown.containsKey(backend);
    }

    /**
     * The server that a URI of the view belongs to: one that lists it, or whose id is in it. Empty if none is known to
     * have it, or if only one server has resources.
     */
    public Optional<OwnedResource> owner(String uri) {
        OwnedResource listed = owners.get(uri);
        return listed == null ? ofTemplate(uri) : Optional.of(listed);
    }

    /** By the id in it, because values of a template are not listed. */
    private Optional<OwnedResource> ofTemplate(String uri) {
        int at = afterScheme(uri);
        for (String backend : shown.keySet()) {
            String prefix = backend + ToolCatalog.SEPARATOR;
            if (at > 0 && uri.startsWith(prefix, at)) {
                return Optional.of(
                        new OwnedResource(backend, uri.substring(0, at) + uri.substring(at + prefix.length())));
            }
        }
        return Optional.empty();
    }

    /** The aliases among {@code backends} only. */
    static ResourceAliases among(Set<String> backends, Map<String, ? extends Collection<String>> listed) {
        Map<String, Collection<String>> some = new HashMap<>(listed);
        some.keySet().retainAll(backends);
        return of(some);
    }
}
