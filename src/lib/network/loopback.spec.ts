import { expect, it } from '@jest/globals';
import { isLoopbackUrl } from './loopback.js';

it.each([
  ['http://localhost:5173', true],
  ['https://sky-realm.shops.localhost/thanks?a=1', true],
  ['http://127.0.0.1', true],
  ['http://2130706433/', true],
  ['http://[::1]:8080', true],
  ['http://localhost.example.com', false],
  ['http://evil-localhost', false],
  ['http://127.0.0.1.example.com', false],
  ['http://192.168.0.5', false],
  ['blob:http://localhost/x', false],
  ['ftp://localhost', false],
  ['null', false],
])('says of %s whether it leads to the computer that opens it: %s', (url, is) => {
  expect(isLoopbackUrl(url)).toBe(is);
});
