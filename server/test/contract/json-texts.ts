// Values of every JSON type and at every boundary, as the text that is sent: JSON.stringify cannot write some of them.
// Separated by three spaces or a line end.

const split = (texts: string): readonly string[] => texts.trim().split(/ {3,}|\n/)

/** For every field of every method. */
export const jsonTexts: readonly string[] = [
  ...split(String.raw`
null   true   0   -1   1e308   1e400   9007199254740993   ""   " "   "0"   "a\u0000b"   "\ud800"
[]   [[]]   {}   {"a":{"b":{"c":[]}}}   {"__proto__":{"id":1,"amount":1,"total":1}}`),
  JSON.stringify('x'.repeat(70_000)),
]

/** For every field name at least once. */
export const moreJsonTexts: readonly string[] = [
  ...split(String.raw`
false   1.5   -1e400   9223372036854775808   "-1"   "1e400"   "NaN"   "\u0000"   "2023-02-29"   "'; drop table sales; --"   [null]   [0]   [{}]
-0   0.0005   -0.0005   2.675   1e-400   1e3   0.1e1   1e999999999
999999999.9994   999999999.9995   999999999999.995   -999999999999.995   2147483648   4294967296   -9007199254740993   9223372036854775807
" 1.5 "   "1e-400"   "1e99999999999999999999"   "9223372036854775808"   "Infinity"   "-Infinity"   "0x10"   "1,5"   "1_000"   "+1"   "."   "-"
"e5"   "true"   "null"   "2024-02-29"   "0000-01-01"   "0001-01-01"   "9999-12-31"   "10000-01-01"   "2024-1-1"   "2024-01-01\n"   "infinity"
"2024-01-01T00:00:00Z"   "0001-01-01T00:00:00+23:59"   "9999-12-31T23:59:59-23:59"   "2024-02-30T00:00:00Z"   "now"   "today"   "epoch"
"\udc00\ud800"   "\ud83d\ude00"   "\uffff"   "\ufeff1"   "\u0661"   "1\u00a0"   "$1"   "%s"   "%_\\"   "\\"   "\"{}\""   "{1,2}"
["1"]   [1e400]   ["\u0000"]   [{"id":{}}]   [{"id":[1],"amount":"x","total":{}}]   [{"__proto__":{"id":1,"amount":1,"total":1}}]
{"toString":1,"valueOf":2}   {"length":1}   {"0":{"id":1,"amount":1,"total":1}}`),
  `1${'0'.repeat(400)}`,
  `0.${'0'.repeat(400)}1`,
  '['.repeat(25) + ']'.repeat(25),
  JSON.stringify('€'.repeat(256)),
  JSON.stringify(Array.from({ length: 5_001 }, () => 0)),
]
