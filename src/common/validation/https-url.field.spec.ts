import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { HttpsUrlField } from './https-url.field.js';

class Body {
  @HttpsUrlField({ nullable: true, maxLength: 100, description: 'A picture.', example: null }) url!: string | null;
}

/** The stored URL, or the error messages. */
function read(url: unknown): unknown {
  const body = plainToInstance(Body, { url });
  const problems = validateSync(body, { stopAtFirstError: true });
  return problems.length === 0 ? body.url : problems.flatMap(({ constraints }) => Object.values(constraints ?? {}));
}

describe('An https URL', () => {
  it.each([
    ['https://cdn.example.com/vip.png', 'https://cdn.example.com/vip.png'],
    ['https://cdn.example.com/vip@2x.png?size=2#a', 'https://cdn.example.com/vip@2x.png?size=2#a'],
    ['HTTPS://CDN.Example.com:443', 'https://cdn.example.com/'],
    ['https://cdn.example.com/a b"><script>', 'https://cdn.example.com/a%20b%22%3E%3Cscript%3E'],
    ['https:\\\\cdn.example.com\\a\\..\\b', 'https://cdn.example.com/b'],
    ['https://m\u00fcnchen.example/', 'https://xn--mnchen-3ya.example/'],
    [null, null],
  ])('%j is stored as %j', (given, stored) => {
    expect(read(given)).toBe(stored);
  });

  it.each([
    'http://cdn.example.com/a.png',
    'javascript:alert(1)//https://',
    'data:image/png,https://',
    'https://',
    'https://a b/',
    'https://exa<mple.com/',
    'https://[::1',
    'https://example.com:99999/',
    'https://user@example.com/',
    'https://user:secret@example.com/',
    '//example.com/a.png',
    'example.com/a.png',
    '',
    ' ',
    7,
  ])('%j is rejected', (given) => {
    expect(read(given)).toEqual([expect.stringMatching(/^url must /)]);
  });

  it('is limited in length as it is stored', () => {
    expect(read(`https://example.com/${' '.repeat(30)}a`)).toEqual(['url must have 1 to 100 characters']);
  });
});
