import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { csvHead, csvLine } from '../../src/lib/formats/csv.js';

const run = promisify(execFile);

/** CSV with semicolons in UTF-8, in German, and with the recognition of dates and other values switched on. */
const GERMAN_CSV = 'Text - txt - csv (StarCalc):59,34,76,1,,1031,false,true';

const TEXTS = [
  '007',
  '1e5',
  '2-1',
  '1/2',
  'MAR1',
  'Mrz 1',
  '1. Mai 2026',
  '12:30',
  '5 %',
  '76561198000000001',
  'WAHR',
  '-5',
  '=1+1',
];
const ROWS = 500;

const isInstalled = await run('soffice', ['--version']).then(
  () => true,
  () => false,
);
if (!isInstalled) process.stdout.write('Left out: the files in LibreOffice, because soffice is absent.\n');

(isInstalled ? describe : describe.skip)('A file for a spreadsheet, opened in LibreOffice in German', () => {
  it('has amounts and times as values, and text as it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'spreadsheet-'));
    try {
      const lines = Array.from({ length: ROWS }, (_, row) => {
        const text = TEXTS[row % TEXTS.length] ?? '';
        return csvLine([{ number: `-${row}.25` }, { time: '2026-11-28 09:57' }, text], 'semicolon');
      });
      const file = join(folder, 'orders.csv');
      await writeFile(file, [csvHead(['amount', 'at', 'text'], 'semicolon'), ...lines].join(''));
      const profile = `-env:UserInstallation=${pathToFileURL(join(folder, 'profile')).href}`;
      const convert = ['--headless', `--infilter=${GERMAN_CSV}`, '--convert-to', 'fods', '--outdir', folder];
      await run('soffice', [profile, ...convert, file], { timeout: 60_000 });
      const sheet = await readFile(join(folder, 'orders.fods'), 'utf8');
      const types = (type: string): number => sheet.split(`office:value-type="${type}"`).length - 1;
      expect({ float: types('float'), date: types('date'), formulas: sheet.includes('table:formula') }).toEqual({
        ...{ float: ROWS, date: ROWS, formulas: false },
      });
      const amounts = [...sheet.matchAll(/office:value-type="float" office:value="([^"]+)"/g)];
      const sum = amounts.reduce((total, [, amount]) => total + Number(amount), 0);
      expect(sum).toBe(-(ROWS * (ROWS - 1)) / 2 - ROWS / 4);
      for (const text of TEXTS) expect(sheet).toContain(`<text:p>&apos;${text}</text:p>`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
