package switchboard.call;

/** Addresses on the event bus. */
public final class BusAddresses {
    private BusAddresses() {}

    /** The address at which the backend {@code id} receives {@link BackendCall}s. */
    public static String backend(String id) {
        return "switchboard.backend." + id;
    }

    /** The address for events of the call {@code callId}. */
    public static String events(String callId) {
        return "switchboard.call." + callId + ".events";
    }

    /** The address for {@link ClientQuestion}s of the call {@code callId}. */
    public static String questions(String callId) {
        return "switchboard.call." + callId + ".questions";
    }

    /** The address for ids of cancelled calls of the backend {@code id}. */
    public static String cancellations(String id) {
        return "switchboard.backend." + id + ".cancel";
    }

    /** The address at which the backend {@code id} announces {@link BackendEvent.ListChanged} and {@link
     * BackendEvent.ResourcesUpdated}. */
    public static String changes(String id) {
        return "switchboard.backend." + id + ".changes";
    }
}
