import { describe, expect, it } from '@jest/globals';
import { isReservedName } from './reserved-names.js';

describe('Reserved names', () => {
  it.each([
    ...['www', 'api', 'admin', 'mail', 'static', 'cdn', 'status', 'support', 'help', 'login', 'dashboard', 'public'],
    ...['by-domain', 'postmaster', 'abuse', 'wpad', 'autodiscover', 'mta-sts', 'ns1', 'www-2', 'smtp01', 'undefined'],
  ])('reserves the name %s', (name) => expect(isReservedName(name)).toBe(true));

  it.each([
    'log-in',
    'l0gin',
    'iogin',
    'adm1n',
    'a-d-m-i-n',
    'supp0rt',
    '5upport',
    'd4shbo4rd',
    'b1lling',
    'w-w-w',
    't3ams',
    '7eams',
    'newsl3tter',
  ])('reserves %s, which looks like a reserved name', (name) => expect(isReservedName(name)).toBe(true));

  it.each([
    'sky-realm',
    'shop-1',
    'my-shop',
    'admins-realm',
    'apiary',
    'mailbox',
    'webmasters',
    '123',
    'abc',
    'ns1x',
    'myapi1',
  ])('allows %s, which only contains or resembles a reserved name', (name) => expect(isReservedName(name)).toBe(false));
});
