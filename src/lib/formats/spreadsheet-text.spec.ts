import { describe, expect, it } from '@jest/globals';
import { mayBeConverted } from './spreadsheet-text.js';

describe('mayBeConverted', () => {
  it.each(
    [
      ...['007', '2-1', '1/2', '1 1/2', '12:30', '1.000,50', '-5', '(5)', '5 %', '$5', '76561198000000001'],
      ...[
        '1e5',
        '1E5',
        '1,5e-3',
        '655000000000000000000e12',
        'MAR1',
        'SEPT2',
        'Mrz-1',
        'März 3',
        '1. Mai 2026',
        'Dez. 24',
      ],
      ...['Sat 28 Nov 2026', '9 am', '5p', '2026-11-28', '2026-11-28T09:57:00Z', '10 EUR', '10eur', 'true', 'WAHR'],
    ].map((text) => [text]),
  )('says that a spreadsheet may convert %s', (text) => {
    expect(mayBeConverted(text)).toBe(true);
  });

  it.each(
    [
      ...['', 'Steve', 'Steve_42', 'Alex1', 'MARIO1', 'ma1', 'EUR', 'march', 'SUMMER10', 'buyer7@example.com', 'MAR_1'],
      ...['2 x VIP rank (19.98)', '655f1c2ab1e4a9d3f0c81250', 'pi_3Nf8', 'completed', 'e5', '1e5x', '1_000'],
    ].map((text) => [text]),
  )('says that every spreadsheet keeps %j', (text) => {
    expect(mayBeConverted(text)).toBe(false);
  });
});
