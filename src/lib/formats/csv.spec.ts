import { describe, expect, it } from '@jest/globals';
import { csvLine, type CsvSeparator } from './csv.js';

describe('A line of a CSV file', () => {
  it.each<[name: string, cells: (string | null)[], line: string]>([
    ['has its cells between commas', ['a', 'b', 'ü'], 'a,b,ü'],
    ['has empty cells for nothing', ['', null, 'x'], ',,x'],
    ['quotes a comma', ['a,b'], '"a,b"'],
    ['quotes a semicolon, which separates cells in other countries', ['a;b'], '"a;b"'],
    ['doubles quotes', ['the "best" rank'], '"the ""best"" rank"'],
    ['quotes the end of a line', ['a\r\nb', 'c\nd'], '"a\r\nb","c\nd"'],
    ['quotes spaces at the ends', [' a', 'b '], '" a","b "'],
  ])('%s', (_, cells, line) => {
    expect(csvLine(cells)).toBe(`${line}\r\n`);
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
    ['+1', "'+1"],
    ['-1+1', "'-1+1"],
    ['-', "'-"],
    ['- 50 %', "'- 50 %"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1+1', "'＝1+1"],
    ['－x', "'－x"],
    [' =1+1', "' =1+1"],
    ['\t=1', `"'\t'=1"`],
    ['\rx', `"'\rx"`],
    ['\nx', `"'\nx"`],
    ['a;=1+1', `"a;'=1+1"`],
    ['a;b; @x', `"a;b;' @x"`],
    ['a\t-x', `"a\t'-x"`],
    ['a\r\n=1', `"a\r\n'=1"`],
    ['-5;=1', `"'-5;'=1"`],
  ])('writes the formula %j as text', (cell, line) => {
    expect(csvLine([cell])).toBe(`${line}\r\n`);
  });

  it.each(['-5', '-19.98', '0', '8.50', 'a=b', 'a-b', 'a+b@example.com', 'Steve_42', '2026-11-22T12:00:00.000Z'])(
    'leaves the cell %s as it is',
    (cell) => {
      expect(csvLine([cell])).toBe(`${cell}\r\n`);
    },
  );

  it.each<[CsvSeparator | undefined, string]>([
    [undefined, '-19.98,2026-11-28 09:57,007,1e5,MAR1,-5,Steve_42'],
    ['comma', "-19.98,2026-11-28 09:57,'007,'1e5,'MAR1,'-5,Steve_42"],
    ['tab', "-19.98\t2026-11-28 09:57\t'007\t'1e5\t'MAR1\t'-5\tSteve_42"],
    ['semicolon', "-19,98;2026-11-28 09:57;'007;'1e5;'MAR1;'-5;Steve_42"],
  ])('writes amounts, times and text for the separator %s', (separator, line) => {
    const cells = [{ number: '-19.98' }, { time: '2026-11-28 09:57' }, '007', '1e5', 'MAR1', '-5', 'Steve_42'];
    expect(csvLine(cells, separator)).toBe(`${line}\r\n`);
  });
});
