package switchboard.signal;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** What a mark says of a text. */
public enum SignalKind {
    /** It tells an assistant what to do. */
    INSTRUCTIONS,
    /** A part of it is not shown to people. */
    HIDDEN_TEXT,
    /** It has characters that are not seen, where its script does not need them. */
    INVISIBLE_CHARACTERS,
    /** It is shown in another order than it is stored in. */
    BIDI_CONTROLS,
    /** A link leads elsewhere than it looks. */
    LOOKALIKE_LINK;

    /** Its name on the wire. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
