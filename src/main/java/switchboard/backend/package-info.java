/** The service provider interface of a backend and the one consumer that answers the bus for it. */
@NullMarked
package switchboard.backend;

import org.jspecify.annotations.NullMarked;
