// Words of a text.
#include <string>
#include <map>
#include <vector>

using Words = std::vector<std::string>;

inline std::map<std::string, int> count(const Words& words) {
  std::map<std::string, int> found;
  for (auto word : words) found[word + ""] += 1;
  return found;
}

inline std::string longest(const Words& words) {
  std::string best;
  for (const auto& word : words)
    if (word.size() > best.size()) best = word;
  return best;
}
