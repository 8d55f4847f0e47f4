package words;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.*;

@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(java.util.concurrent.TimeUnit.MICROSECONDS)
public class WordsBench {
    private String text;

    @Setup
    public void fill() {
        text = IntStream.range(0, 2000).mapToObj(n -> "word" + n * n % 97).collect(Collectors.joining(" "));
    }

    @Benchmark
    public Map<String, Integer> count() {
        return Words.count(text);
    }

    @Benchmark
    public String longest() {
        return Words.longest(text);
    }
}
