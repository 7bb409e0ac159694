import { randomUUID } from 'node:crypto';
import { eventually } from './eventually.js';
import { type TestApp } from './test-app.js';

/** The complete output of an application until now. It sends one more request and waits for its line, so nothing is missing. */
export async function wholeOutput(app: TestApp): Promise<string> {
  const marker = randomUUID();
  await app.api.get('/no-such-endpoint', { headers: { 'X-Request-Id': marker } });
  return eventually(
    () => Promise.resolve(app.output().includes(marker) && app.output()),
    () => app.output(),
  );
}
