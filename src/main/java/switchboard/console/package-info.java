/** The console, for people: who is signed in, and the files of its pages. */
@NullMarked
package switchboard.console;

import org.jspecify.annotations.NullMarked;
