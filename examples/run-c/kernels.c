/* Three kernels, each with a checksum of its result: ./kernels matrix|sort|words */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 256, NUMBERS = 200000, TEXT = 1 << 20, SLOTS = 1 << 18 };

static uint32_t state = 1;

/* A linear congruential generator: the same numbers on every machine. */
static uint32_t next(void) {
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void *reserve(size_t count, size_t size) {
    void *found = calloc(count, size);
    if (!found) {
        perror("kernels");
        exit(1);
    }
    return found;
}

/* The product of two square matrices, row by row. */
static uint32_t matrix(void) {
    float *a = reserve(SIDE * SIDE, sizeof *a), *b = reserve(SIDE * SIDE, sizeof *b), *c = reserve(SIDE * SIDE, sizeof *c);
    for (int i = 0; i < SIDE * SIDE; i++) {
        a[i] = (float)(next() % 8);
        b[i] = (float)(next() % 8);
    }
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++)
            for (int j = 0; j < SIDE; j++)
                c[i * SIDE + j] += a[i * SIDE + k] * b[k * SIDE + j];
    float sum = 0;
    for (int i = 0; i < SIDE * SIDE; i += 257)
        sum += c[i];
    return (uint32_t)sum;
}

static void sift(uint32_t *heap, int from, int count) {
    uint32_t moved = heap[from];
    for (int child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && heap[child + 1] > heap[child])
            child++;
        if (heap[child] <= moved)
            break;
        heap[from] = heap[child];
    }
    heap[from] = moved;
}

/* Heapsort of random numbers. */
static uint32_t sort(void) {
    uint32_t *heap = reserve(NUMBERS, sizeof *heap);
    for (int i = 0; i < NUMBERS; i++)
        heap[i] = next();
    for (int i = NUMBERS / 2; i-- > 0;)
        sift(heap, i, NUMBERS);
    for (int left = NUMBERS; left-- > 1;) {
        uint32_t largest = heap[0];
        heap[0] = heap[left];
        heap[left] = largest;
        sift(heap, 0, left);
    }
    return heap[NUMBERS / 2];
}

/* The number of different words of a text, in a table with open addressing. */
static uint32_t words(void) {
    char *text = reserve(TEXT + 1, 1);
    const char **table = reserve(SLOTS, sizeof *table);
    uint32_t found = 0;
    for (int i = 0; i < TEXT; i++)
        text[i] = next() % 4 ? (char)('a' + next() % 6) : ' ';
    for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) {
        uint32_t hash = 2166136261u;
        for (const char *at = word; *at; at++)
            hash = (hash ^ (unsigned char)*at) * 16777619u;
        uint32_t slot = hash % SLOTS;
        while (table[slot] && strcmp(table[slot], word) != 0)
            slot = (slot + 1) % SLOTS;
        if (!table[slot] && found < SLOTS / 2) {
            table[slot] = word;
            found++;
        }
    }
    return found;
}

int main(int count, char **names) {
    const char *name = count == 2 ? names[1] : "";
    if (strcmp(name, "matrix") == 0)
        printf("%u\n", matrix());
    else if (strcmp(name, "sort") == 0)
        printf("%u\n", sort());
    else if (strcmp(name, "words") == 0)
        printf("%u\n", words());
    else {
        fprintf(stderr, "usage: %s matrix|sort|words\n", names[0]);
        return 2;
    }
    return 0;
}
