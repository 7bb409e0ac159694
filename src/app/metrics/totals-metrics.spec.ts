import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Registry } from 'prom-client';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { type Sample, TotalsRegistry } from '../../infrastructure/totals/totals.js';
import { TotalsMetrics } from './totals-metrics.js';

let registry: Registry;
let orders: Sample[];
let isDown: boolean;
let timeLimits: number[];
let metrics: TotalsMetrics;

const values = async (name: string): Promise<[labels: string, value: number][]> => {
  const metric = (await registry.getMetricsAsJSON()).find((one) => one.name === `shop_platform_${name}`);
  return (metric?.values ?? []).map(({ labels, value }) => [Object.values(labels).join(' '), value]);
};

beforeEach(() => {
  registry = new Registry();
  orders = [{ labels: { provider: 'stripe', state: 'paid' }, value: 2 }];
  isDown = false;
  timeLimits = [];
  const totals = new TotalsRegistry();
  totals.add({
    gauges: { orders: { help: 'Orders', labels: ['provider', 'state'] } },
    read: (_, maxTimeMS) => {
      timeLimits.push(maxTimeMS);
      return Promise.resolve({ orders });
    },
  });
  totals.add({
    gauges: { due: { help: 'Due', labels: [] } },
    read: () =>
      isDown ? Promise.reject(new Error('no primary')) : Promise.resolve({ due: [{ labels: {}, value: 0 }] }),
  });
  metrics = new TotalsMetrics(registry, totals, { timeLimitFactor: 3 } as AppConfig);
  metrics.onModuleInit();
  jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
});

describe('TotalsMetrics', () => {
  it('shows the numbers of all features, read within the time limit of this machine', async () => {
    await metrics.refresh();
    expect(await values('database_up')).toEqual([['', 1]]);
    expect(await values('orders')).toEqual([['stripe paid', 2]]);
    expect(await values('due')).toEqual([['', 0]]);
    expect(timeLimits).toEqual([15_000]);
  });

  it('shows no number that is no longer there', async () => {
    await metrics.refresh();
    orders = [{ labels: { provider: 'mollie', state: 'paid' }, value: 1 }];
    await metrics.refresh();
    expect(await values('orders')).toEqual([['mollie paid', 1]]);
  });

  it('shows no old numbers while the database is down, and all of them again afterwards', async () => {
    await metrics.refresh();
    isDown = true;
    await metrics.refresh();
    expect(await values('database_up')).toEqual([['', 0]]);
    expect(await values('orders')).toEqual([]);
    expect(await values('due')).toEqual([]);
    isDown = false;
    await metrics.refresh();
    expect(await values('database_up')).toEqual([['', 1]]);
    expect(await values('due')).toEqual([['', 0]]);
  });
});
