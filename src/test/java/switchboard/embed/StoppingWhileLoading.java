package switchboard.embed;

import ai.onnxruntime.OrtEnvironment;
import java.lang.reflect.Field;

/** A process that stops as soon as ONNX Runtime's binding has an environment, while a model is being loaded. */
final class StoppingWhileLoading {
    static final String LOADED = "loaded";

    private StoppingWhileLoading() {}

    static void main() throws ReflectiveOperationException {
        Field environment = OrtEnvironment.class.getDeclaredField("INSTANCE");
        environment.setAccessible(true);
        Thread loading = new Thread(StoppingWhileLoading::load, "loading");
        // As a gateway does, the process waits for what is under way.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> join(loading), "stop"));
        loading.start();
        while (environment.get(null) == null) {
            Thread.onSpinWait();
        }
        System.exit(0);
    }

    private static void load() {
        try (OnnxGraph graph = new OnnxGraph(OnnxModel.bgeSmall().files())) {
            System.out.println(graph.outputs().isEmpty() ? "without outputs" : LOADED);
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    private static void join(Thread loading) {
        try {
            loading.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
