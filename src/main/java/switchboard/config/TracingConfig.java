package switchboard.config;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/** Export of spans to a tracing system with OTLP over HTTP. */
public record TracingConfig(
        @Doc("The collector's URL for traces, such as `http://collector:4318/v1/traces`.")
        URI endpoint,

        @Doc("Headers of every export, such as the collector's key.")
        Map<String, Secret> headers,

        @Default("1")
        @AllowedRange(min = "0", max = "1")
        @Doc(
                "Fraction of the requests without a trace of their own that is recorded. A request with a trace is recorded if its trace is sampled.")
        double ratio) {
    public TracingConfig {
        headers = Map.copyOf(new LinkedHashMap<>(headers));
    }
}
