// Words of a text.
#include <string>
#include <unordered_map>
#include <vector>

using Words = std::vector<std::string>;

inline std::unordered_map<std::string, int> count(const Words& words) {
  std::unordered_map<std::string, int> found;
  for (const auto& word : words) ++found[word];
  return found;
}

inline std::string longest(const Words& words) {
  std::string best;
  for (const auto& word : words)
    if (word.size() > best.size()) best = word;
  return best;
}
