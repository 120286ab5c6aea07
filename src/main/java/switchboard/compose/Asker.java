package switchboard.compose;

import java.util.List;
import java.util.Set;
import switchboard.auth.Principal;
import switchboard.call.ResourceScope;
import switchboard.call.Verb;
import switchboard.catalog.View;
import switchboard.dispatch.CallOptions;

/**
 * On whose behalf several backends are asked.
 *
 * @param principal who; decides, backend by backend, what may be seen
 * @param view the called view; what it leaves out does not exist for anybody
 * @param backends the ids of the backends that it shows
 * @param options of the composed call: its timeout bounds all parts together
 */
public record Asker(Principal principal, View view, Set<String> backends, CallOptions options) {
    /** Verbs of searching. */
    static final Set<Verb> SEARCH = Set.of(Verb.SEARCH);
    /** Verbs of reading. */
    static final Set<Verb> READ = Set.of(Verb.READ);

    public Asker {
        backends = Set.copyOf(backends);
    }

    /** Who calls something of {@code view}. */
    public Asker(Principal principal, View view, CallOptions options) {
        this(principal, view, view.backends(), options);
    }

    /** The same; a view of the composed tools alone stands for all backends. */
    Asker in(Set<String> all) {
        return backends.equals(Set.of(Composer.ID)) ? new Asker(principal, view, all, options) : this;
    }

    /** What the view leaves of a backend for searches and reads that are none of its own tools'. */
    ResourceScope offered(String backend) {
        return view.bounds().offered(backend);
    }

    /** Whether the view shows the source of that label. */
    boolean shows(String label) {
        return view.bounds().of(Composer.ID).allows(label);
    }

    List<String> sortedBackends() {
        return backends.stream().sorted().toList();
    }
}
