import { describe, expect, it } from '@jest/globals';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { HttpsUrlListField, OriginListField, WebUrlField } from './url.fields.js';

class Body {
  @HttpsUrlListField({ maxItems: 2, maxLength: 100, description: 'Pictures.', example: [] }) urls!: unknown;
}

/** The stored URLs, or the error messages. */
function read(urls: unknown): unknown {
  const body = plainToInstance(Body, { urls });
  const problems = validateSync(body, { stopAtFirstError: true });
  return problems.length === 0 ? body.urls : problems.flatMap(({ constraints }) => Object.values(constraints ?? {}));
}

describe('An https URL', () => {
  it.each([
    ['https://cdn.example.com/vip.png', 'https://cdn.example.com/vip.png'],
    ['https://cdn.example.com/vip@2x.png?size=2#a', 'https://cdn.example.com/vip@2x.png?size=2#a'],
    ['HTTPS://CDN.Example.com:443', 'https://cdn.example.com/'],
    ['https://cdn.example.com/a b"><script>', 'https://cdn.example.com/a%20b%22%3E%3Cscript%3E'],
    ['https:\\\\cdn.example.com\\a\\..\\b', 'https://cdn.example.com/b'],
    ['https://m\u00fcnchen.example/', 'https://xn--mnchen-3ya.example/'],
  ])('stores the URL %j as %j', (given, stored) => {
    expect(read(['https://a.example/', given])).toEqual(['https://a.example/', stored]);
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
  ])('rejects the URL %j', (given) => {
    expect(read(['https://a.example/', given])).toEqual([expect.stringMatching(/^urls must contain /)]);
  });

  it('limits the length of a URL as it is stored', () => {
    const long = `https://example.com/${' '.repeat(30)}a`;
    expect(read([long])).toEqual(['urls must contain strings of at most 100 characters']);
  });

  it('accepts a URL as an entry of a list, which has a limit and may be empty', () => {
    const url = 'https://a.example/';
    expect([read([]), read([url, url])]).toEqual([[], [url, url]]);
    expect(read([url, url, url])).toEqual(['urls must have at most 2 entries']);
    for (const given of [url, null, { url }, 7]) expect(read(given)).toEqual(['urls must be a list']);
  });
});

class Page {
  @WebUrlField({ description: 'A page.', example: '', nullable: true }) url!: unknown;
  @OriginListField({ description: 'Origins.', example: [], maxItems: 3 }) origins!: unknown;
}

function readPage(fields: object): unknown {
  const page = plainToInstance(Page, { url: null, origins: [], ...fields });
  const problems = validateSync(page, { stopAtFirstError: true });
  return problems.length === 0 ? page : problems.flatMap(({ constraints }) => Object.values(constraints ?? {}));
}

describe('The URL of a page', () => {
  it('is http or https, and is stored as the URL standard says', () => {
    expect(readPage({ url: ' HTTP://Example.com/a b"><script>' })).toMatchObject({
      url: 'http://example.com/a%20b%22%3E%3Cscript%3E',
    });
    expect(readPage({ url: '' })).toMatchObject({ url: null });
  });

  it.each([
    ...[
      'javascript:alert(1)',
      ' java\nscript:alert(1)//http://a',
      'data:text/html,x',
      'vbscript:x',
      'blob:https://a/x',
    ],
    ...['//a.example', '/path', 'mailto:a@example.com', 'https://user@a.example', 'http:', 7],
  ])('rejects the URL %j', (url) => {
    expect(readPage({ url })).toEqual([expect.stringMatching(/^url must/)]);
  });
});

describe('A list of origins', () => {
  it('has https origins as browsers send them', () => {
    expect(readPage({ origins: ['https://A.example:443/', 'https://b.example:8443'] })).toMatchObject({
      origins: ['https://a.example', 'https://b.example:8443'],
    });
  });

  it.each([
    [['http://a.example'], /must contain only https origins/],
    [['https://a.example/path'], /must contain only https origins/],
    [['https://a.example?a'], /must contain only https origins/],
    [['https://user@a.example'], /must contain only https origins/],
    [['*'], /must contain only https origins/],
    [['null'], /must contain only https origins/],
    [['https://a.example', 'https://A.example/'], /must not repeat/],
  ])('rejects the origins %j', (origins, message) => {
    expect(readPage({ origins })).toEqual([expect.stringMatching(message)]);
  });
});
