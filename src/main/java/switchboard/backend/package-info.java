/** The interface that backends implement, and the event bus consumer that calls them. */
@NullMarked
package switchboard.backend;

import org.jspecify.annotations.NullMarked;
