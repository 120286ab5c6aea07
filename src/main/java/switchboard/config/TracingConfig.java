package switchboard.config;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** Where spans of requests go, for a tracing system that speaks OTLP over HTTP. */
public record TracingConfig(
        @Doc("The collector's URL for traces, such as `http://collector:4318/v1/traces`.")
        URI endpoint,

        @Doc("Headers of every export, such as a key of the collector's.")
        Map<String, Secret> headers,

        @Default("1")
        @AllowedRange(min = "0", max = "1")
        @Doc(
                "The part of requests without a trace of their own that is recorded. Those with one are recorded if it says so.")
        double ratio) {
    public TracingConfig {
        headers = Map.copyOf(new LinkedHashMap<>(headers));
    }
}
