package words;

import java.util.HashMap;
import java.util.Map;

/** Words of a text. */
public final class Words {
    /** Count how often each word occurs. */
    public static Map<String, Integer> count(String text) {
        Map<String, Integer> found = new HashMap<>();
        for (String word : text.split(" ")) {
            found.merge(word, 1, Integer::sum);
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
