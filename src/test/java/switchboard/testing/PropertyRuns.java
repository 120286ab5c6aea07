package switchboard.testing;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyAttributes;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;

/**
 * How jqwik's properties are tried. Each build tries the same cases. With {@code -Plong} there are ten times as many, from
 * a seed that is another one each time and is printed; {@code -Dswitchboard.seed=N} gives it again. A property that hangs
 * is interrupted after ten minutes, or an hour and forty with {@code -Plong}. Found by jqwik for all properties.
 */
public final class PropertyRuns implements AroundPropertyHook {
    private static final String FIXED = "4711";
    private static final int MORE = 10;

    /** What jqwik tries where a property does not say. */
    private static final int USUAL = 1_000;

    private static final Duration LONGEST = Duration.ofMinutes(10L * LongRun.times(1, MORE));
    private static final String SEED =
            System.getProperty("switchboard.seed", LongRun.either(FIXED, Long.toString(new SecureRandom().nextLong())));

    @Override
    public PropagationMode propagateTo() {
        return PropagationMode.ALL_DESCENDANTS;
    }

    @Override
    public PropertyExecutionResult aroundProperty(PropertyLifecycleContext context, PropertyExecutor property) {
        PropertyAttributes attributes = context.attributes();
        attributes.setSeed(SEED);
        int tries = attributes.tries().orElse(USUAL);
        attributes.setTries(LongRun.times(tries, MORE * tries));
        System.out.println(context.extendedLabel() + ": -Dswitchboard.seed=" + SEED);
        Thread running = Thread.currentThread();
        try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor()) {
            ScheduledFuture<?> end = timer.schedule(running::interrupt, LONGEST.toMillis(), TimeUnit.MILLISECONDS);
            try {
                return property.execute();
            } finally {
                end.cancel(false);
            }
        }
    }
}
