package switchboard.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The default value of a key, written as in the file: {@code "60s"}, {@code "[]"}.
 *
 * <p>Keys without this annotation are required, except {@code @Nullable} components, lists and maps (empty by default)
 * and records (read as if their section were empty).
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Default {
    /** The value as YAML. */
    String value();
}
