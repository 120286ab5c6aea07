/** Standing questions: searches that are asked again when something may have changed. They are kept in the data folder. */
@NullMarked
package switchboard.watch;

import org.jspecify.annotations.NullMarked;
