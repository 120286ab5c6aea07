package switchboard.testing.logs;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What this test, or every test of this class, makes the gateway write on purpose: each value is a regular expression that
 * is found in a line "Logger - message" or in its stack trace. All other lines of level ERROR, and all other stack traces,
 * fail the test.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface AsksForErrors {
    /** Regular expressions. */
    String[] value();
}
