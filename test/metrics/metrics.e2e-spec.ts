import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { readProductVersion } from '../../src/infrastructure/version/product-version.js';
import { aProduct, aServer, aShop, anOrder, type TestShop } from '../support/actors.js';
import { read, table } from '../contract/pages.js';
import { expectError, expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { type Metrics, metricsOf } from '../support/metrics.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

let app: TestApp;
let shop: TestShop;
let address: string;
let page: Metrics['page'];
let valuesOf: Metrics['valuesOf'];

beforeAll(async () => {
  app = await startTestApp({ env: { METRICS_PORT: '0' }, config: { sweepIntervalMs: 50 } });
  ({ address, page, valuesOf } = await metricsOf(app));
  shop = await aShop(app.api);
});
afterAll(() => app.close());

describe('GET /metrics', () => {
  it('responds in the text format of Prometheus, on its own port only', async () => {
    const response = await fetch(`${address}/metrics`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    await response.text();
    const head = await fetch(`${address}/metrics`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    for (const path of ['/', '/metrics/', '/api/v2/health/live']) {
      expect({ path, status: (await fetch(address + path)).status }).toEqual({ path, status: 404 });
    }
    expect((await fetch(`${address}/metrics`, { method: 'POST' })).status).toBe(404);
    expectError(await app.api.get('/metrics'), 404, /./);
  });

  it('counts requests by the template of their route, and shows no path', async () => {
    const path = '/payments/webhooks/custom/secret-in-the-path';
    await app.api.post(path, {});
    expectSuccess(await app.api.get(`/shops/public/${shop.uniqueName}`));
    await app.api.get('/no-such-path');
    const requests = await eventually(async () => {
      const found = await valuesOf('shop_platform_http_request_duration_seconds_count');
      return found.length >= 4 && found;
    });
    const labels = requests.map((request) => request.labels);
    expect(labels).toContain('method="GET",route="/api/v2/shops/public/:uniqueName",status="200"');
    expect(labels).toContain('method="GET",route="*path",status="404"');
    expect(await page()).not.toMatch(new RegExp(`secret-in-the-path|no-such-path|${shop.uniqueName}|${shop.shopId}`));
  });

  it('measures the commands to the database, the pool and the event loop', async () => {
    const commands = await valuesOf('shop_platform_database_command_duration_seconds_count');
    expect(commands.find(({ labels }) => labels === 'command="find",result="ok"')?.value).toBeGreaterThan(0);
    // The jobs of this application run all the time, and some of them wait at any one moment.
    const waiting = await eventually(async () => {
      const values = await valuesOf('shop_platform_database_connections_waiting');
      return values.every(({ value }) => value === 0) && values;
    });
    expect(waiting).toEqual([{ labels: '', value: 0 }]);
    const [inUse] = await valuesOf('shop_platform_database_connections_in_use');
    expect(inUse?.value).toBeGreaterThanOrEqual(0);
    expect(await valuesOf('nodejs_eventloop_lag_p99_seconds')).toHaveLength(1);
    expect(await valuesOf('shop_platform_database_up')).toEqual([{ labels: '', value: 1 }]);
    const { version, commit } = readProductVersion();
    expect(await valuesOf('shop_platform_build_info')).toEqual([
      { labels: `version="${version}",commit="${commit ?? 'unknown'}"`, value: 1 },
    ]);
    // Without REDIS_URL the processes share no limits, so none are missing.
    expect(await valuesOf('shop_platform_shared_limits_available')).toEqual([]);
  });

  it('shows orders by payment, emails by state, what waits for game servers, and the background jobs', async () => {
    const serverId = await aServer(app.api, shop);
    const price = await aProduct(app.api, shop);
    const free = await aProduct(app.api, shop, { price: 0 });
    await anOrder(app.api, shop.shopId, { productId: price, serverId });
    await anOrder(app.api, shop.shopId, { productId: free, serverId });
    const payments = await valuesOf('shop_platform_payments_last_hour');
    expect(payments).toContainEqual({ labels: 'provider="none",state="pending"', value: 1 });
    expect(await valuesOf('shop_platform_deliveries_due_by_server')).toEqual([
      { labels: `server="${serverId}"`, value: 1 },
    ]);
    expect(await valuesOf('shop_platform_deliveries_due')).toEqual([{ labels: '', value: 1 }]);
    await eventually(async () => {
      const emails = await valuesOf('shop_platform_outbox_messages_last_hour');
      return emails.find(({ labels, value }) => labels === 'topic="email",state="sent"' && value >= 2);
    });
    const [job] = await valuesOf('shop_platform_job_last_finished_timestamp_seconds');
    expect(Math.abs(Date.now() / 1000 - (job?.value ?? 0))).toBeLessThan(3600);
  });
});

describe('The dashboard and the alerts', () => {
  /** The names of metrics and of the series of histograms. */
  async function served(): Promise<Set<string>> {
    const names = [...(await page()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    return new Set(
      names.flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
  }
  const namesIn = (text: string): string[] => text.match(/\b(?:shop_platform|nodejs|process)_\w+/g) ?? [];

  it('queries only metrics that the service has', async () => {
    const known = await served();
    const dashboard = JSON.parse(await read('ops/grafana/shop-platform.json')) as {
      panels: { targets: { expr: string }[] }[];
    };
    const alerts = parse(await read('ops/prometheus/alerts.yml')) as { groups: { rules: { expr: string }[] }[] };
    const expressions = [
      ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
      ...alerts.groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(25);
    expect(expressions.flatMap(namesIn).filter((name) => !known.has(name))).toEqual([]);
  });

  it('finds every metric of the service in the handbook, and no other', async () => {
    const own = [...(await page()).matchAll(/^# TYPE (shop_platform_\S+) /gm)].map(([, name]) => `\`${name ?? ''}\``);
    const rows = table(await read('docs/handbook/watching.md'), 'metrics').map(([name]) => name);
    expect(rows.toSorted()).toEqual(own.toSorted());
  });

  it('finds a section of the handbook for every alert', async () => {
    const alerts = parse(await read('ops/prometheus/alerts.yml')) as { groups: { rules: { alert: string }[] }[] };
    const names = alerts.groups.flatMap(({ rules }) => rules.map(({ alert }) => `\`${alert}\``));
    const rows = table(await read('docs/handbook/watching.md'), 'alerts').map(([name]) => name);
    expect(rows).toEqual(names);
  });
});

describe('Without METRICS_PORT', () => {
  it('serves no metrics without METRICS_PORT', async () => {
    const other = await startTestApp();
    expectSuccess(await other.api.get('/health/ready'));
    expect(other.output()).not.toContain('Metrics are served');
    await other.close();
  });
});
