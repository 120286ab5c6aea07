package switchboard.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The instructions of a {@code Dockerfile}, in order. */
record Dockerfile(List<Instruction> instructions) {
    /** One of them, such as {@code RUN} and what is to be run; lines that go on are one line. */
    record Instruction(String name, String argument) {}

    static Dockerfile read(Path file) throws IOException {
        List<Instruction> instructions = new ArrayList<>();
        StringBuilder whole = new StringBuilder();
        for (String line : Files.readAllLines(file)) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            if (line.endsWith("\\")) {
                whole.append(line, 0, line.length() - 1).append(' ');
                continue;
            }
            String[] parts = whole.append(line).toString().strip().split("\\s+", 2);
            instructions.add(new Instruction(parts[0], parts[1]));
            whole.setLength(0);
        }
        if (!whole.isEmpty()) {
            throw new AssertionError("the last line goes on: " + whole);
        }
        return new Dockerfile(List.copyOf(instructions));
    }

    /** What follows the instructions of that name. */
    Stream<String> arguments(String name) {
        return instructions.stream()
                .filter(instruction -> instruction.name().equals(name))
                .map(Instruction::argument);
    }
}
