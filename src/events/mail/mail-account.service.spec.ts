import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { recording } from '../../../test/support/fakes.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/time/durations.js';
import { MailAccountService } from './mail-account.service.js';
import { type MailDomainsRepository } from './mail-domains.repository.js';
import { retryAfter } from './mail-rules.js';

interface Domain {
  acceptedAt?: Date;
  refusedAt?: Date;
}

const START = new Date('2026-11-28T12:00:00.000Z');
const refusal = (response: string): Error =>
  Object.assign(new Error(response), { command: 'RCPT TO', response, responseCode: Number(response.slice(0, 3)) });

let domains: Map<string, Domain>;
let account: MailAccountService;
let logged: string[];

beforeEach(() => {
  jest.useFakeTimers({ now: START });
  logged = [];
  jest.spyOn(Logger.prototype, 'error').mockImplementation((message: unknown) => void logged.push(String(message)));
  domains = new Map();
  const record = (hash: string, outcome: Domain): Promise<void> =>
    Promise.resolve(void domains.set(hash, { ...domains.get(hash), ...outcome }));
  const others = (except: string | null): Domain[] =>
    [...domains].filter(([hash]) => hash !== except).map(([, domain]) => domain);
  const repository = recording<MailDomainsRepository>([], {
    accepted: (hash, at) => record(hash, { acceptedAt: at }),
    refused: (hash, at) => record(hash, { refusedAt: at }),
    latestAcceptance: (since, except) => {
      const times = others(except).flatMap(({ acceptedAt }) => acceptedAt ?? []);
      return Promise.resolve(times.filter((at) => at >= since).sort((a, b) => Number(b) - Number(a))[0] ?? null);
    },
    countRefused: (after, except) =>
      Promise.resolve(others(except).filter(({ refusedAt }) => refusedAt !== undefined && refusedAt > after).length),
  });
  account = new MailAccountService(repository, { encryptionKey: Buffer.alloc(32) } as Partial<AppConfig> as AppConfig);
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

/** What happens to an email that was written at a time, after a refusal a minute later than the latest event. */
async function afterRefusal(to: string, response: string, createdAt = START): Promise<'final' | 'retried'> {
  jest.advanceTimersByTime(MINUTE_MS);
  const error = await account.refused(to, createdAt, refusal(response));
  return retryAfter(1, error) === null ? 'final' : 'retried';
}
async function accept(to: string): Promise<void> {
  jest.advanceTimersByTime(MINUTE_MS);
  await account.accepted(to);
}

it('stores no domain in clear text', async () => {
  await accept('a@smith.example');
  expect([...domains.keys()]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
});

it('returns an error that is no permanent refusal as it is, and records nothing', async () => {
  const error = refusal('451 not now');
  expect(await account.refused('a@one.example', START, error)).toBe(error);
  expect(domains.size).toBe(0);
});

it('gives up after a bare 550 only when another domain accepted an email in the last hour, and refused none since', async () => {
  await accept('b@one.example');
  expect(await afterRefusal('a@ONE.example', '550 no')).toBe('retried');
  await accept('a@two.example');
  expect(await afterRefusal('a@one.example', '550 no')).toBe('final');
  // Two domains in a row: it may be the account.
  expect(await afterRefusal('a@three.example', '550 no')).toBe('retried');
  await accept('a@two.example');
  jest.advanceTimersByTime(HOUR_MS);
  expect(await afterRefusal('a@three.example', '550 no')).toBe('retried');
});

it('gives up after a refusal by a rule of one domain when it is a day old and others accept', async () => {
  const dayAgo = new Date(START.getTime() - DAY_MS);
  expect(await afterRefusal('a@one.example', '550 5.7.1 no', dayAgo)).toBe('retried');
  await accept('a@two.example');
  expect(await afterRefusal('a@one.example', '550 5.7.1 no')).toBe('retried');
  expect(await afterRefusal('a@one.example', '550 5.7.1 no', dayAgo)).toBe('final');
});

it('reports a refused account after three domains without an acceptance between, once an hour, until an email is accepted', async () => {
  await accept('a@zero.example');
  for (const domain of ['one', 'one', 'two']) await afterRefusal(`a@${domain}.example`, '554 relay denied');
  await afterRefusal('a@three.example', '550 5.1.1 nobody');
  expect([await account.isRefused(), logged]).toEqual([false, []]);
  await accept('a@zero.example');
  for (const domain of ['three', 'four']) await afterRefusal(`a@${domain}.example`, '554 relay denied');
  expect(await account.isRefused()).toBe(false);
  for (const domain of ['five', 'six']) await afterRefusal(`a@${domain}.example`, '554 relay denied');
  expect(await account.isRefused()).toBe(true);
  expect(logged).toEqual([expect.stringContaining('The mail server refuses the emails of this service')]);
  expect(logged.join()).not.toContain('relay denied');
  await accept('a@six.example');
  expect(await account.isRefused()).toBe(false);
});

it('does not fail an email that was sent because the database fails', async () => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const down = recording<MailDomainsRepository>([], { accepted: () => Promise.reject(new Error('no primary')) });
  const config = { encryptionKey: Buffer.alloc(32) } as Partial<AppConfig> as AppConfig;
  await expect(new MailAccountService(down, config).accepted('a@one.example')).resolves.toBeUndefined();
});
