package words;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Words of a text. */
public final class Words {
    /** Count how often each word occurs. */
    public static Map<String, Integer> count(String text) {
        List<String> words = Arrays.asList(text.split(" "));
        Map<String, Integer> found = new HashMap<>();
        for (String word : words) {
            found.computeIfAbsent(word, one -> Collections.frequency(words, one));
        }
        return found;
    }

    /** Find the longest word. */
    public static String longest(String text) {
        String best = "";
        for (String word : text.split(" ")) {
            if (word.length() > best.length()) {
                best = word;
            }
        }
        return best;
    }
}
