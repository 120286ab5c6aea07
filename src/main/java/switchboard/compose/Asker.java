package switchboard.compose;

import java.util.List;
import java.util.Set;
import switchboard.auth.Principal;
import switchboard.call.Verb;
import switchboard.catalog.PublishedTool;
import switchboard.dispatch.CallOptions;

/**
 * On whose behalf several backends are asked.
 *
 * @param principal who; decides, backend by backend, what may be seen
 * @param backends the ids of the backends that the called view shows
 * @param tools the tools of the called view
 * @param options of the composed call: its timeout bounds all parts together
 */
public record Asker(Principal principal, Set<String> backends, List<PublishedTool> tools, CallOptions options) {
    /** Verbs of searching. */
    static final Set<Verb> SEARCH = Set.of(Verb.SEARCH);
    /** Verbs of reading. */
    static final Set<Verb> READ = Set.of(Verb.READ);

    public Asker {
        backends = Set.copyOf(backends);
        tools = List.copyOf(tools);
    }

    /** The same; a view of the composed tools alone stands for all backends. */
    Asker in(Set<String> all) {
        return backends.equals(Set.of(Composer.ID)) ? new Asker(principal, all, tools, options) : this;
    }

    List<String> sortedBackends() {
        return backends.stream().sorted().toList();
    }
}
