package switchboard.console;

import switchboard.auth.Principal;

/**
 * Who changes something in the console.
 *
 * @param address the person's network address
 */
public record ConsoleEditor(Principal person, String address) {}
