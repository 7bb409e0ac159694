import { existsSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { CONFIG_SCHEMA } from './config-schema.js';
import { postTo } from './shop-client.js';

interface Connected {
  readonly key: string;
  readonly shopId: string;
  readonly serverId: string;
  readonly serverName: string;
}

/**
 * Exchanges a connect code for a key, stores the key where only its owner can read it, and writes a configuration to complete, with the schema
 * that editors complete it by.
 * @throws Error when the configuration exists already; ShopError
 */
export async function init(url: string, code: string, configPath: string): Promise<readonly string[]> {
  const path = resolve(configPath);
  if (existsSync(path))
    throw new Error(`${path} exists already: add the game server there, or name another file with --config`);
  const base = url.replace(/\/+$/, '');
  const headers = { 'Idempotency-Key': `agent-${randomUUID()}` };
  const { key, shopId, serverId, serverName } = await postTo<Connected>(`${base}/agent/connect`, { code }, headers);
  const keyFile = join(dirname(path), `${serverId}.key`);
  writeFileSync(keyFile, `${key}\n`, { mode: 0o600 });
  const way = { type: 'rcon', host: '127.0.0.1', port: 25_575, passwordFile: 'rcon-password' };
  const server = { serverId, name: serverName, game: 'minecraft', keyFile: `${serverId}.key`, way };
  const settings = { url: base, shopId, journal: 'agent-journal.jsonl', servers: [server] };
  const config = { $schema: './agent.schema.json', ...settings };
  writeFileSync(join(dirname(path), 'agent.schema.json'), `${JSON.stringify(CONFIG_SCHEMA, null, 2)}\n`);
  writeFileSync(path, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
  return [
    `Connected with the game server "${serverName}". The key is in ${keyFile}.`,
    `Now say in ${path} how the agent reaches the console (game, way), and try it: shop-agent check`,
    'Then start it with: shop-agent run',
    'Place a rehearsal order in the shop to see a delivery arrive without a payment.',
  ];
}
