import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type DeliveringShop } from '../deliveries/delivery-actors.js';
import { type TestApp } from '../support/test-app.js';

const CLIENT = join(import.meta.dirname, '..', '..', 'examples', 'plugin-client', 'plugin-client.mjs');

/** Starts one round of the example client for the game server of a shop. Its console and its journal are files. */
export function startPluginClient(
  { baseUrl }: Pick<TestApp, 'baseUrl'>,
  { shopId, serverId, pluginKey }: DeliveringShop,
  files: { readonly console: string; readonly journal: string },
): ChildProcess {
  return spawn(process.execPath, [CLIENT, '--once'], {
    stdio: 'ignore',
    env: {
      SHOP_URL: `${baseUrl}/api/v2`,
      SHOP_ID: shopId,
      SERVER_ID: serverId,
      PLUGIN_KEY: pluginKey,
      CONSOLE_FILE: files.console,
      JOURNAL_FILE: files.journal,
    },
  });
}
