package switchboard.call;

/** The addresses on the event bus. */
public final class BusAddresses {
    private BusAddresses() {}

    /** Where the backend {@code id} takes {@link BackendCall}s. */
    public static String backend(String id) {
        return "switchboard.backend." + id;
    }

    /** Where the events of the call {@code callId} go. */
    public static String events(String callId) {
        return "switchboard.call." + callId + ".events";
    }

    /** Where the {@link ClientQuestion}s of the call {@code callId} go. */
    public static String questions(String callId) {
        return "switchboard.call." + callId + ".questions";
    }

    /** Where the ids of cancelled calls of the backend {@code id} are announced. */
    public static String cancellations(String id) {
        return "switchboard.backend." + id + ".cancel";
    }

    /** Where the backend {@code id} announces {@link BackendEvent.ListChanged}. */
    public static String changes(String id) {
        return "switchboard.backend." + id + ".changes";
    }
}
