import { expect, it } from '@jest/globals';
import { serverWith } from '../../../test/support/servers.js';
import { statusAt } from '../../catalogue/servers/server-status.js';
import { serversView } from './home-view.js';
import { STOREFRONT_COPY } from './storefront-copy.js';

it.each([
  [null, ''],
  [0, 'Delivery usually takes 1 sec'],
  [8, 'Delivery usually takes 8 secs'],
  [119, 'Delivery usually takes 2 mins'],
])('says for a median of %p seconds: %p', (medianSeconds, expected) => {
  const now = new Date('2026-11-21T12:00:00.000Z');
  const server = serverWith({ medianSeconds });
  const reader = { language: 'en', copy: STOREFRONT_COPY.en } as const;
  const [row] = serversView([{ server, status: statusAt(server, now) }], reader, now).servers;
  expect(row?.delivery.replace(/\s/gu, ' ')).toBe(expected);
});
