/** Bytes of documents to text, and text to chunks. Everything here computes and blocks: call it on an executor. */
@NullMarked
package switchboard.convert;

import org.jspecify.annotations.NullMarked;
