/** The federated tools, which call several backends: one search over all sources, and one way to read what it found. */
@NullMarked
package switchboard.federation;

import org.jspecify.annotations.NullMarked;
