/** Embedded stores of several gateways with the same documents: PostgreSQL has them, the files of each gateway follow it. */
@NullMarked
package switchboard.replica;

import org.jspecify.annotations.NullMarked;
