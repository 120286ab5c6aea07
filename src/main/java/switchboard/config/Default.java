package switchboard.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What a key of the configuration is when it is left out, written as in the file: {@code "60s"}, {@code "[]"}.
 *
 * <p>Keys without it must be given, except those whose component is {@code @Nullable}, a list or a map (empty then) or a
 * record (read as if its section were empty).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {
    /** The value as YAML. */
    String value();
}
