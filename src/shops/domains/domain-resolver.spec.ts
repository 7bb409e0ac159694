import { Resolver } from 'node:dns/promises';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { startClock, stopTimers } from '../../../test/support/clock.js';
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { DomainResolver } from './domain-resolver.js';

let dns: DnsServer;

beforeEach(async () => {
  dns = await startDnsServer();
});
afterEach(async () => {
  startClock();
  await dns.close();
});

it('cancels the lookup when the name servers are silent for 5 s, and returns no result', async () => {
  const cancel = jest.spyOn(Resolver.prototype, 'cancel');
  stopTimers();
  const { begun } = dns.hold();
  const records = new DomainResolver({ dnsServers: [dns.address] as readonly string[] } as AppConfig).txt(
    'a.example.com',
  );
  await begun;
  jest.advanceTimersByTime(4_999);
  expect(cancel).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1);
  expect(cancel).toHaveBeenCalledTimes(1);
  expect(await records).toBeNull();
});
