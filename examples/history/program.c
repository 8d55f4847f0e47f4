/* Three kernels, one a call: ./program sort|words|matrix. The numbers below are what commits change. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define SORT_PASSES 40
#define WORD_PASSES 250
#define MATRIX_PASSES 24

/* Code of its own: a change of one kernel leaves the instructions of the others alone. */
#define KERNEL static __attribute__((noinline))

static uint32_t state = 12345;

static uint32_t next(void) { return state = state * 1664525u + 1013904223u; }

KERNEL uint32_t sort(void) {
    static uint32_t numbers[4096];
    uint32_t sum = 0;
    for (int pass = 0; pass < SORT_PASSES; pass++) {
        for (int i = 0; i < 4096; i++) numbers[i] = next();
        for (int gap = 1365; gap > 0; gap /= 4)
            for (int i = gap; i < 4096; i++) {
                uint32_t moved = numbers[i];
                int j = i;
                for (; j >= gap && numbers[j - gap] > moved; j -= gap) numbers[j] = numbers[j - gap];
                numbers[j] = moved;
            }
        sum += numbers[pass];
    }
    return sum;
}

KERNEL uint32_t words(void) {
    static char text[65536];
    uint32_t count = 0;
    for (int i = 0; i < 65535; i++) text[i] = next() >> 29 ? 'a' : ' ';
    for (int pass = 0; pass < WORD_PASSES; pass++)
        for (int i = 1; i < 65535; i++) count += (text[i] != ' ') & (text[i - 1] == ' ');
    return count;
}

KERNEL uint32_t matrix(void) {
    static double a[96][96], b[96][96], c[96][96];
    for (int i = 0; i < 96; i++)
        for (int j = 0; j < 96; j++) a[i][j] = next() % 7, b[i][j] = next() % 5;
    for (int pass = 0; pass < MATRIX_PASSES; pass++)
        for (int i = 0; i < 96; i++)
            for (int j = 0; j < 96; j++)
                for (int k = 0; k < 96; k++) c[i][j] += a[i][k] * b[k][j];
    return (uint32_t)c[5][7];
}

int main(int count, char **names) {
    const char *name = count > 1 ? names[1] : "sort";
    uint32_t result = !strcmp(name, "words") ? words() : !strcmp(name, "matrix") ? matrix() : sort();
    printf("%u\n", result);
    return 0;
}
