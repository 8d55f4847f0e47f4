 * <pre>
 *     The 'numbers' are in 1000s of bytes per second processed.
 *
 *     type              16 bytes     64 bytes    256 bytes
 *     ----------------------------------------------------
 *     md2                   0.00         0.00         0.00
 *     md4               51020.25k   171270.50k   402215.75k
 *  >  sha1              48120.50k   140310.25k   310870.25k
 * </pre>
