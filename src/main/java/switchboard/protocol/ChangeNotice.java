package switchboard.protocol;

import switchboard.call.BackendEvent.ListChanged;

/** The notifications that announce a changed list. */
public final class ChangeNotice {
    /** Announces that one subscribed resource may have changed. */
    public static final String RESOURCE_UPDATED = "notifications/resources/updated";

    private ChangeNotice() {}

    /** The notification for lists of that kind. */
    public static String method(ListChanged.ListType kind) {
        return switch (kind) {
            case TOOLS -> "notifications/tools/list_changed";
            case PROMPTS -> "notifications/prompts/list_changed";
            case RESOURCES -> "notifications/resources/list_changed";
        };
    }
}
