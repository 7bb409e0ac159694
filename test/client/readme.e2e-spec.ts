import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { transform } from '@swc/core';
import { expect, it } from '@jest/globals';
import { read } from '../contract/pages.js';
import { aKey, aProduct, aShop } from '../support/actors.js';
import { startTestApp } from '../support/test-app.js';

/** Runs a module as a user of the package does, and returns what it has written. */
async function outputOf(code: string, env: Record<string, string>): Promise<string> {
  const running = spawn(process.execPath, ['--input-type=module'], { env: { ...process.env, ...env } });
  running.stdin.end(code);
  const [written, problems] = await Promise.all([text(running.stdout), text(running.stderr)]);
  return written + problems;
}

it('runs the examples of packages/client/README.md', async () => {
  const app = await startTestApp();
  const shop = await aShop(app.api, { displayName: 'Island' });
  await aProduct(app.api, shop, { name: 'Crate' });
  await aProduct(app.api, shop, { name: 'Sword' });
  const { key } = await aKey(app.api, shop);
  const blocks = (await read('packages/client/README.md')).matchAll(/```ts\n([^]*?)```/g);
  const { code } = await transform([...blocks].map(([, block]) => block).join('\n'), {
    swcrc: false,
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
  });
  const output = await outputOf(code, { SHOP_URL: app.baseUrl, API_KEY: key, SHOP_ID: shop.shopId });
  await app.close();
  expect(output.split('\n')).toEqual(['Island is called Skyblock now', 'value breaks range', 'Sword', 'Crate', '']);
});
