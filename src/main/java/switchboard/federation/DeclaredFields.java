package switchboard.federation;

import org.jspecify.annotations.Nullable;
import switchboard.call.NamedFields;
import switchboard.call.Passage;

/** Reads text, title and URL of a passage from the fields that the operator declared for its source. */
final class DeclaredFields {
    private DeclaredFields() {}

    /** {@code passage} with text, title and URL from the declared fields, where they are present. */
    static Passage of(Passage passage, FederationSettings.Declared declared) {
        if (declared.text() == null && declared.title() == null && declared.url() == null) {
            return passage;
        }
        return passage.with(
                value(passage, declared.title(), passage.title()),
                url(passage, declared.url()),
                value(passage, declared.text(), passage.text()));
    }

    private static @Nullable String url(Passage passage, @Nullable String field) {
        return NamedFields.text(passage.fields(), field).orElse(passage.url());
    }

    /** The value of a declared field. If the field is gone, its value was already found by its usual name. */
    private static String value(Passage passage, @Nullable String field, String found) {
        return NamedFields.text(passage.fields(), field).orElse(found);
    }
}
