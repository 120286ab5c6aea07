package switchboard.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The least and the greatest value, both allowed, of a number, {@link Size} or duration; written as in the file. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface AllowedRange {
    /** The least value allowed. */
    String min();

    /** The greatest value allowed. */
    String max();
}
