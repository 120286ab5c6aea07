package switchboard.backend.embedded;

import java.util.Set;
import switchboard.call.Binding;
import switchboard.call.Caller;
import switchboard.store.AllowedReaders;
import switchboard.store.DocumentAccess;

/** Which documents a caller may read, by the bindings of its team. */
public final class CallerAccess {
    private static final String DOCUMENTS = "documents";
    private static final String ALL = "all";

    private CallerAccess() {}

    /**
     * Everything without teams, and with the binding {@code documents: all}. Otherwise what is for everyone, for the binding
     * {@code user} and for one of {@code groups}.
     *
     * @throws switchboard.call.ToolException {@code DENIED} if the caller lacks a claim
     */
    public static DocumentAccess of(Caller caller) {
        if (caller.team().isEmpty()
                || caller.binding(DOCUMENTS).map(CallerAccess::all).orElse(false)) {
            return DocumentAccess.EVERYTHING;
        }
        return new DocumentAccess.ForReaders(Set.copyOf(AllowedReaders.namesOf(caller)));
    }

    private static boolean all(Binding documents) {
        if (!documents.value().equals(ALL)) {
            throw documents.denied("can only be \"" + ALL + "\"");
        }
        return true;
    }
}
