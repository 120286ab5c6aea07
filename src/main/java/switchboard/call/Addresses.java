package switchboard.call;

/** The addresses on the event bus. */
public final class Addresses {
    private Addresses() {}

    /** Where the backend {@code id} takes {@link BackendCall}s. */
    public static String backend(String id) {
        return "switchboard.backend." + id;
    }

    /** Where the events of the call {@code callId} go. */
    public static String events(String callId) {
        return "switchboard.call." + callId + ".events";
    }

    /** Where the cancellation of the call {@code callId} is announced. */
    public static String cancel(String callId) {
        return "switchboard.call." + callId + ".cancel";
    }

    /** Where the backend {@code id} announces {@link BackendEvent.ListChanged}. */
    public static String changes(String id) {
        return "switchboard.backend." + id + ".changes";
    }
}
