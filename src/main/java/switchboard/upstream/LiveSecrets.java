package switchboard.upstream;

import java.util.Collection;
import java.util.List;
import switchboard.call.Secrets;
import switchboard.config.Secret;

/**
 * The secrets to remove from texts: the current values of configured secrets, and previous ones, which the other side
 * may still return. Thread-safe.
 */
public final class LiveSecrets {
    private final List<Secret> configured;
    private volatile Version known;

    private record Version(List<String> texts, Secrets secrets) {}

    /** For these secrets. */
    public LiveSecrets(Collection<Secret> configured) {
        this.configured = List.copyOf(configured);
        this.known = known(texts());
    }

    private List<String> texts() {
        return configured.stream().flatMap(secret -> secret.known().stream()).toList();
    }

    private static Version known(List<String> texts) {
        return new Version(texts, Secrets.of(texts));
    }

    /** The current secrets; computed again only when a text has changed. */
    public Secrets current() {
        Version last = known;
        List<String> texts = texts();
        if (!last.texts().equals(texts)) {
            last = known(texts);
            known = last;
        }
        return last.secrets();
    }
}
