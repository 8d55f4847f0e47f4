/* Stores to a static buffer and loads from one on the stack: where the stack begins decides which loads wait for stores. */
static char a[1 << 16];

int main(void) {
    char b[2048];
    unsigned sum = 0;
    for (int r = 0; r < 30000; r++) {
        for (int n = 0; n < 2048; n += 8) {
            *(volatile long *)(a + n) = r;
            sum += *(volatile int *)(b + (n & 2040));
        }
    }
    return sum == 1;
}
