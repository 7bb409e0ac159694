import { describe, expect, it } from '@jest/globals';
import { eventProblems, permissionsFor, urlProblems } from './webhook-rules.js';

const DISCORD = 'https://discord.com';
const PRIVATE = 'url must not be an address of a private network';

describe('urlProblems', () => {
  it.each<[string, string[]]>([
    ['https://example.com/hooks?shop=1', []],
    ['https://example.com:443/', []],
    ['https://example.com:8443/', []],
    ['https://8.8.8.8/', []],
    ['example.com', ['url must be an https URL']],
    ['ftp://example.com', ['url must be an https URL']],
    ['file:///etc/passwd', ['url must be an https URL']],
    ['http://example.com/', ['url must be an https URL']],
    ['https://example.com:22/', ['url must have the port 443 or 8443']],
    ['https://user:password@example.com/', ['url must not contain a user name or a password']],
    ['https://:password@example.com/', ['url must not contain a user name or a password']],
    ['https://example.com/#top', ['url must not have a fragment']],
    ['https://127.0.0.1/', [PRIVATE]],
    ['https://2130706433/', [PRIVATE]],
    ['https://0x7f.1/', [PRIVATE]],
    ['https://017700000001/', [PRIVATE]],
    ['https://[::1]/', [PRIVATE]],
    ['https://[::ffff:169.254.169.254]/', [PRIVATE]],
    [
      'http://10.0.0.1:22/#x',
      ['url must be an https URL', 'url must not have a fragment', 'url must have the port 443 or 8443', PRIVATE],
    ],
  ])('checks the URL %s and finds the problems %j', (url, problems) => {
    expect(urlProblems(url, 'standard', false)).toEqual(problems);
  });

  it.each<[string, string[]]>([
    ['http://127.0.0.1:4010/hook', []],
    ['http://localhost', []],
    ['ftp://localhost', ['url must be an https URL']],
    ['http://user@localhost', ['url must not contain a user name or a password']],
    ['http://localhost/#top', ['url must not have a fragment']],
  ])('checks the URL %s and finds the problems %j where private targets are allowed', (url, problems) => {
    expect(urlProblems(url, 'standard', true)).toEqual(problems);
  });

  it.each<[string, 'discord' | 'standard', string]>([
    [`${DISCORD}/api/webhooks/123/a-Token_1`, 'discord', ''],
    ['https://canary.discord.com/api/v10/webhooks/123/x?thread_id=1', 'discord', ''],
    ['https://discordapp.com/api/webhooks/123/x', 'discord', ''],
    [`${DISCORD}/api/webhooks/123/x`, 'standard', 'format must be discord'],
    [`${DISCORD}/channels/123/456`, 'discord', 'url must be the address of a webhook of Discord'],
    [`${DISCORD}/channels/123/456`, 'standard', 'url must be the address of a webhook of Discord'],
    [`${DISCORD}/api/webhooks/123`, 'discord', 'url must be the address of a webhook of Discord'],
    [`${DISCORD}/api/webhooks/123/x/slack`, 'discord', 'url must be the address of a webhook of Discord'],
    ['https://discord.gg/abc', 'discord', 'url must be the address of a webhook of Discord'],
    ['https://example.com/api/webhooks/123/x', 'discord', 'url must be the address of a webhook of Discord'],
    ['https://notdiscord.com/channels/1', 'standard', ''],
  ])('checks the URL %s with the format %s', (url, format, problem) => {
    for (const allowPrivate of [true, false]) {
      expect(urlProblems(url, format, allowPrivate).join()).toMatch(problem === '' ? /^$/ : new RegExp(`^${problem}`));
    }
  });

  it('lets a test outside of production receive the format of Discord', () => {
    expect(urlProblems('http://127.0.0.1:4010/hook', 'discord', true)).toEqual([]);
    expect(urlProblems('https://8.8.8.8/hook', 'discord', true)).toHaveLength(1);
  });
});

it('rejects repeated events, and * beside other names', () => {
  expect(eventProblems(['*'])).toEqual([]);
  expect(eventProblems(['order.paid', 'order.created'])).toEqual([]);
  expect(eventProblems(['order.paid', 'order.paid'])).toEqual(['events must not repeat an entry']);
  expect(eventProblems(['order.paid', '*'])).toEqual(['events must be only * or a list of names']);
});

it('returns the permissions to read that a selection of events requires, each once', () => {
  expect(permissionsFor(['order.paid', 'order.created', 'delivery.failed'])).toEqual([
    'orders:read',
    'deliveries:read',
  ]);
  expect(permissionsFor(['api_key.created'])).toEqual(['team:read']);
  const all = [
    'orders:read',
    'deliveries:read',
    'payments:read',
    'discounts:read',
    'sales:read',
    'servers:read',
    'team:read',
  ];
  expect(permissionsFor(['*'])).toEqual(all);
});
