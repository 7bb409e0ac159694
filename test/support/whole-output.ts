import { randomUUID } from 'node:crypto';
import { eventually } from './eventually.js';
import { type TestApp } from './test-app.js';

/** What an application wrote until now, nothing of it still on its way: the line of one more request is waited for. */
export async function wholeOutput(app: TestApp): Promise<string> {
  const marker = randomUUID();
  await app.api.get('/no-such-endpoint', { headers: { 'X-Request-Id': marker } });
  return eventually(() => Promise.resolve(app.output().includes(marker) && app.output()));
}
