/*
           (limit)  (size)   Mode  Cnt    Score    Error  Units
eager            1   10000  thrpt    5  454.250 ± 11.500  ops/s
lazy             1   10000  thrpt    5 1419.500 ± 58.250  ops/s
*/
class Limits {}
