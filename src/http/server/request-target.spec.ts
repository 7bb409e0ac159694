import { describe, expect, it } from '@jest/globals';
import { readableTarget } from './request-target.js';

describe('readableTarget', () => {
  it.each(['/', '/api/v2/shops?a=http://b/', '//evil/a', '/a%20b', '/a\u00e9', '/@[', '*'])(
    'keeps the target %s',
    (target) => {
      expect(readableTarget(target)).toBe(target);
    },
  );

  it.each([
    ['http://shop.example/a?b=c', '/a?b=c'],
    ['HTTPS://user:secret@[::1]:8443/a', '/a'],
    ['http://a%2ab/c', '/c'],
    ['http://shop.example/a/../%2e%2e/b', '/a/../%2e%2e/b'],
    ['http://shop.example', '/'],
    ['http://shop.example?a=b', '/?a=b'],
  ])('removes the address of %s, and changes nothing else', (target, path) => {
    expect(readableTarget(target)).toBe(path);
  });

  it.each([
    ...['', 'a', '?a', '**', 'shop.example:443', 'ftp://shop.example/', 'x://%zz/a', 'http:/a', 'http:///a'],
    ...['http://[/a', 'http://evil:99999999/a', 'http://a%zz/a'],
    ...['/a#b', '/#', 'http://shop.example#a', '//a@[#/b', '//a@[\u00a0/b', '/a b', '/a\tb', '/a\ufeff', '/a\n'],
  ])('returns null for %j', (target) => {
    expect(readableTarget(target)).toBeNull();
  });
});
