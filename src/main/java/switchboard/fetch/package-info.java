/** Guarded outgoing HTTP: fetches documents from the web, without access to private networks. */
@NullMarked
package switchboard.fetch;

import org.jspecify.annotations.NullMarked;
