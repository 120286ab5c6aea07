/** The commands, one class each. They parse arguments, call {@link switchboard.app}, and print for people. */
@NullMarked
package switchboard.app.command;

import org.jspecify.annotations.NullMarked;
