package switchboard.dispatch;

import switchboard.auth.Principal;
import switchboard.catalog.View;

/**
 * Who asked for a call, and where. Stays with the dispatcher: it is in no message on the bus.
 *
 * @param principal who; decides, backend by backend, what may be seen
 * @param view the called view; what it leaves out does not exist for anybody
 */
public record Requester(Principal principal, View view) {}
