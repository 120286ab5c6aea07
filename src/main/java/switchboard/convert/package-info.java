/**
 * Converts documents to text and splits text into chunks. Everything here computes and blocks: call it on an executor.
 */
@NullMarked
package switchboard.convert;

import org.jspecify.annotations.NullMarked;
