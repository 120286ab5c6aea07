package switchboard.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The allowed range of a number, {@link Size} or duration; both ends are included. Written as in the file. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface AllowedRange {
    /** The minimum. */
    String min();

    /** The maximum. */
    String max();
}
