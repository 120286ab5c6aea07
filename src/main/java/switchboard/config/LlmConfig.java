package switchboard.config;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A language model behind an OpenAI-compatible chat API: OpenAI itself, vLLM, Ollama, llama.cpp and others. */
public record LlmConfig(
        @Doc("The URL before `/chat/completions`; by default `https://api.openai.com/v1`.") @Nullable
        URI url,

        @Doc("The model's name at its server.") String model,

        @Doc("The server's key, if it needs one.") @Nullable Secret apiKey,

        @Default("30s") @AllowedRange(min = "100ms", max = "10m") @Doc("How long one answer may take.")
        Duration timeout,

        @Default("1000")
        @AllowedRange(min = "1", max = "1000000")
        @Doc("Maximum number of questions per hour; further ones are answered without the model.")
        int callsPerHour,

        @Default("24000")
        @AllowedRange(min = "100", max = "10000000")
        @Doc("Maximum length of the text in one question, in characters.")
        int maxInputChars,

        @Default("1024") @AllowedRange(min = "16", max = "100000") @Doc("Maximum length of an answer, in tokens.")
        int maxOutputTokens,

        @Default("false")
        @Doc("Whether `agentroot` lets the model describe documents (summary, category, difficulty, keywords, concepts)"
                + " when it indexes them: one question for each new or changed document.")
        boolean indexing) {}
