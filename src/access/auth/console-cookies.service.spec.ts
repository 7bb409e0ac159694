import { expect, it } from '@jest/globals';
import { type Response } from 'express';
import { type PageLinks } from '../../http/addresses/page-links.js';
import { type AccessTokens } from './access-tokens.js';
import { ConsoleCookiesService } from './console-cookies.service.js';

const SESSION = { id: 'session', userId: 'user', expiresAt: new Date('2026-12-29T12:00:00.000Z') };

it.each([
  ['https://example.com/shops', true, '/shops/api/v2'],
  ['http://localhost:3000', false, '/api/v2'],
])('limits the cookie of a service at %s to its API: secure %s, below %s', async (base, secure, path) => {
  const set: unknown[] = [];
  const response = {
    cookie: (...values: unknown[]) => set.push(values),
    clearCookie: (...values: unknown[]) => set.push(values),
  } as unknown as Response;
  const links = { to: (place: string) => `${base}/api/v2/${place}` } as PageLinks;
  const tokens = { issueCookie: () => Promise.resolve('signed') } as unknown as AccessTokens;
  const service = new ConsoleCookiesService(tokens, links);
  await service.set(response, SESSION);
  service.clear(response);
  const options = { httpOnly: true, sameSite: 'strict', secure, path };
  expect(set).toEqual([
    ['session', 'signed', { ...options, expires: SESSION.expiresAt }],
    ['session', options],
  ]);
});
