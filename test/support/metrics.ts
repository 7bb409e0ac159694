import { eventually } from './eventually.js';
import { type TestApp } from './test-app.js';

/** One value of a metric, with its labels as the page has them. */
export interface MetricValue {
  readonly labels: string;
  readonly value: number;
}

/** The metrics of an application that was started with `METRICS_PORT=0`. */
export interface Metrics {
  readonly address: string;
  readonly page: () => Promise<string>;
  readonly valuesOf: (name: string) => Promise<MetricValue[]>;
}

/** Waits until the application has written the port of its metrics to its log. */
export async function metricsOf(app: Pick<TestApp, 'output'>): Promise<Metrics> {
  const [, port] = await eventually(() => Promise.resolve(/Metrics are served on port (\d+)/.exec(app.output())));
  const address = `http://127.0.0.1:${port ?? ''}`;
  const page = async (): Promise<string> => (await fetch(`${address}/metrics`)).text();
  return {
    address,
    page,
    valuesOf: async (name) => {
      const lines = (await page()).matchAll(new RegExp(`^${name}(?:\\{(.*)\\})? (\\S+)$`, 'gm'));
      return [...lines].map(([, labels = '', value]) => ({ labels, value: Number(value) }));
    },
  };
}
