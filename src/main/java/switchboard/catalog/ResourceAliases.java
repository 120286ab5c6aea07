package switchboard.catalog;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The URIs of resources that several relayed servers of a view call the same. The server whose id is the first in the
 * alphabet keeps the URI; the others have their id in it: {@code ui://app/chart.html} of {@code sales} is {@code
 * ui://sales__app/chart.html}. Immutable.
 */
public final class ResourceAliases {
    /** No two servers have the same URI. */
    public static final ResourceAliases NONE = new ResourceAliases(Map.of(), Map.of());

    private static final String AUTHORITY = "://";

    /** Clients may fetch these themselves. */
    private static final Pattern WEB = Pattern.compile("^https?:", Pattern.CASE_INSENSITIVE);

    private final Map<String, Map<String, String>> shown;
    private final Map<String, OwnedResource> owners;
    private final List<String> longestFirst;

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
        this.longestFirst = shown.keySet().stream()
                .sorted(Comparator.comparing(String::length).reversed())
                .toList();
    }

    /** Ids of the servers with URIs that differ from their own. */
    public Set<String> backends() {
        return shown.keySet();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ResourceAliases aliases && owners.equals(aliases.owners);
    }

    @Override
    public int hashCode() {
        return owners.hashCode();
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
            if (owners.putIfAbsent(uri, own) != null && !WEB.matcher(uri).find()) {
                String alias = alias(backend, uri);
                while (owners.putIfAbsent(alias, own) != null) {
                    alias = alias(backend, alias);
                }
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
        Map<String, String> own = shown.getOrDefault(backend, Map.of());
        String listed = own.get(uri);
        if (listed != null) {
            return listed;
        }
        boolean ofTemplate = own.keySet().stream()
                .filter(template -> template.indexOf('{') > 0)
                .anyMatch(template -> uri.startsWith(template.substring(0, template.indexOf('{'))));
        return ofTemplate ? alias(backend, uri) : uri;
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
        for (String backend : longestFirst) {
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
