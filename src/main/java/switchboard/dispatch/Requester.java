package switchboard.dispatch;

import switchboard.auth.Principal;
import switchboard.catalog.View;

/**
 * The requester of a call and its view. It stays with the dispatcher and is in no message on the bus.
 *
 * @param principal decides what may be seen at each backend
 * @param view the called view; what it excludes does not exist for the call
 */
public record Requester(Principal principal, View view) {}
