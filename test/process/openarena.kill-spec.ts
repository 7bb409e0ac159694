import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, type DeliveringShop, deliveryStatusOf } from '../deliveries/delivery-actors.js';
import { aKey } from '../support/actors.js';
import { eventually } from '../support/eventually.js';
import { freeUdpPort } from '../support/free-port.js';
import { Program } from '../support/program.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

const SERVER = '/usr/games/openarena-server';
const AGENT = join(import.meta.dirname, '..', '..', 'packages', 'agent', 'dist', 'agent.mjs');
const isComplete = existsSync(SERVER);
if (!isComplete) process.stderr.write('Left out: OpenArena, because openarena-server of Debian is absent.\n');

(isComplete ? describe : describe.skip)('OpenArena', () => {
  const folder = mkdtempSync(join(tmpdir(), 'openarena-'));
  const programs: Program[] = [];
  let app: TestApp;
  let shop: DeliveringShop;
  let key: string;

  beforeAll(async () => {
    app = await startTestApp();
    shop = await aDeliveringShop(app.api, { commands: ['say order {orderId}'] });
    ({ key } = await aKey(app.api, shop, 'plugin', ['deliveries:write', 'servers:report']));
  });
  afterAll(async () => {
    for (const program of programs) await program.kill();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(command: string, args: readonly string[]): Program {
    const program = Program.start(command, args, { env: { PATH: process.env['PATH'], HOME: folder } });
    programs.push(program);
    return program;
  }

  it('runs the command of a paid order once on its console', async () => {
    const port = await freeUdpPort();
    const sets = { dedicated: '1', net_ip: '127.0.0.1', net_port: String(port), rconpassword: 'sesame', ttycon: '0' };
    const game = start(SERVER, [
      ...Object.entries(sets).flatMap(([name, value]) => ['+set', name, value]),
      ...['+map', 'oa_dm1'],
    ]);
    await game.says(/InitGame/);
    const order = await aPaidOrder(app.api, shop);
    const way = { type: 'quake3', host: '127.0.0.1', port, password: 'sesame' };
    const server = { serverId: shop.serverId, game: 'quake3', key, way };
    const config = join(folder, 'agent.json');
    writeFileSync(config, JSON.stringify({ url: `${app.baseUrl}/api/v2`, shopId: shop.shopId, servers: [server] }));
    const agent = start(process.execPath, [AGENT, 'run', '--config', config]);
    await eventually(
      async () => (await deliveryStatusOf(app.api, order)) === 'delivered',
      () => `${agent.text}\n${game.text}`,
    );
    const lines = game.text.split('\n');
    expect(lines.filter((line) => line === `Rcon from 127.0.0.1: say order ${order.id}`)).toHaveLength(1);
  });
});
