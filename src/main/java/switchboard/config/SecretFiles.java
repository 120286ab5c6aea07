package switchboard.config;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds all secret files and certificate files for outgoing connections in a configuration. */
public final class SecretFiles {
    private SecretFiles() {}

    /** The files of {@code config}. */
    public static Set<SecretFile> of(Record config) {
        Set<SecretFile> found = new LinkedHashSet<>();
        collect(config, found);
        return found;
    }

    private static void collect(@Nullable Object value, Set<SecretFile> found) {
        switch (value) {
            case Secret secret -> secret.file().ifPresent(found::add);
            case PemFile pem -> pem.file().ifPresent(found::add);
            case Map<?, ?> map -> map.values().forEach(each -> collect(each, found));
            case Collection<?> all -> all.forEach(each -> collect(each, found));
            case Record record -> components(record, found);
            case null, default -> {}
        }
    }

    private static void components(Record record, Set<SecretFile> found) {
        for (RecordComponent component : record.getClass().getRecordComponents()) {
            try {
                component.getAccessor().setAccessible(true);
                collect(component.getAccessor().invoke(record), found);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("a record without its accessor " + component.getName(), e);
            }
        }
    }
}
