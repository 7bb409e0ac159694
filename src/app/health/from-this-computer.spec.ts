import { type IncomingMessage } from 'node:http';
import { expect, it } from '@jest/globals';
import { isFromThisComputer } from './from-this-computer.js';

it.each<[address: string | undefined, headers: Record<string, string>, expected: boolean]>([
  ['127.0.0.1', { host: 'localhost:3000' }, true],
  ['127.8.9.1', {}, true],
  ['::1', {}, true],
  ['::ffff:127.0.0.1', {}, true],
  ['192.0.2.7', {}, false],
  ['172.17.0.1', {}, false],
  ['2001:db8::1', {}, false],
  [undefined, {}, false],
  ['127.0.0.1', { 'x-forwarded-for': '127.0.0.1' }, false],
  ['::1', { forwarded: 'for=127.0.0.1' }, false],
  ['127.0.0.1', { via: '1.1 proxy' }, false],
  ['127.0.0.1', { 'x-real-ip': '192.0.2.7' }, false],
  ['127.0.0.1', { 'x-forwarded-proto': 'https' }, false],
])(
  'reads whether a request from %s with the headers %j was made on this computer',
  (remoteAddress, headers, expected) => {
    expect(isFromThisComputer({ socket: { remoteAddress }, headers } as unknown as IncomingMessage)).toBe(expected);
  },
);
