package switchboard.federation;

import java.time.Clock;
import java.util.Optional;
import switchboard.auth.Principal;
import switchboard.backend.ListChanges;
import switchboard.call.BackendEvent.ListChanged.ListType;
import switchboard.call.CallContext;
import switchboard.call.Caller;
import switchboard.watch.Watch;
import switchboard.watch.WatchBook;

/**
 * Where standing questions are asked and read.
 *
 * @param book all of them
 * @param clock the time
 * @param changes announces which there are
 */
public record WatchDesk(WatchBook book, Clock clock, ListChanges changes) {
    /** After the URI of a question: what its webhook is to be told next, with the rights of its asker now. */
    public static final String WAITING = "#waiting";

    /** What is read there has the id of the message. */
    public static final String MESSAGE = "message";

    /** And the addresses of documents of which it can't be known now whether its asker may read them. */
    public static final String UNCHECKED = "unchecked";

    /** The section of the configuration that says where news of {@code team} may be sent to. */
    public static String webhooks(String team) {
        return "insight.teams." + (team.isEmpty() ? "\"*\"" : team) + ".watches.webhooks";
    }

    /** Whether {@code caller} has asked {@code watch}, and its grants and its view leave it that. */
    boolean mayKnow(Watch watch, Caller caller) {
        return book.settings().of(caller.team()).isPresent()
                && watch.owner().team().equals(caller.team())
                && watch.owner().id().equals(caller.principal())
                && caller.scope().allows(watch.uri());
    }

    /** The one with that URI, if {@code asker}, who calls in {@code context}, has asked it. */
    Optional<Watch> own(String uri, Principal asker, CallContext context) {
        return book.find(uri, asker.identity()).filter(watch -> mayKnow(watch, context.caller()));
    }

    /** {@code asker} has used {@code watch}: its rights of now count from now on. One that sleeps is asked again. */
    void used(Watch watch, Principal asker) {
        book.change(watch.uri(), known -> known.usedBy(asker, clock.instant())).onComplete(used -> {
            boolean sleeps = used.succeeded()
                    && used.result().filter(known -> known.reason() != null).isPresent();
            if (sleeps || watch.reason() != null) {
                book.wake(watch);
            }
        });
    }

    /** {@code watch} was asked first: what has come while it was is found when it is asked again. */
    void begun(Watch watch) {
        book.wake(watch);
        listed(watch);
    }

    /** The list of the asker of {@code watch} has changed. */
    public void listed(Watch watch) {
        changes.announce(ListType.RESOURCES, watch.uri(), caller -> mayKnow(watch, caller));
    }
}
