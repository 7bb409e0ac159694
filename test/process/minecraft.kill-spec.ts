import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, type DeliveringShop, deliveryStatusOf } from '../deliveries/delivery-actors.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { Program } from '../support/program.js';
import { startTestApp, type TestApp } from '../support/test-app.js';
import { compile, tools } from './minecraft/tools.js';

const AGENT = join(import.meta.dirname, '..', '..', 'packages', 'agent', 'dist', 'agent.mjs');
const PLAYER = join(import.meta.dirname, 'minecraft', 'player.mjs');
const found = tools();
if (typeof found === 'string') process.stderr.write(`Left out: Minecraft, because of ${found}\n`);
else if (found.azLink === null) process.stderr.write('Left out: AzLink, because its sources cannot be downloaded.\n');

(typeof found === 'string' ? describe.skip : describe)('Minecraft', () => {
  let folder: string;
  const programs: Program[] = [];
  let app: TestApp;
  let shop: DeliveringShop;
  let key: string;
  let port: number;
  let classPath: string;

  const azLink = typeof found === 'string' ? null : found.azLink;
  const java = typeof found === 'string' ? '' : found.java;
  const mineflayer = typeof found === 'string' ? '' : found.mineflayer;
  const running = (name: string, ...args: string[]): string[] => ['-cp', classPath, name, ...args];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'minecraft-'));
    if (typeof found !== 'string') classPath = compile(found, folder);
    app = await startTestApp();
  });
  beforeEach(async () => {
    shop = await aDeliveringShop(app.api, {
      commands: ['give {nickname} diamond 5 {orderId}'],
      requiresOnline: true,
    });
    const { shopId, serverId, owner } = shop;
    const permissions = ['deliveries:write', 'servers:report'];
    const body = { shopId, name: 'Survival', type: 'plugin', permissions, serverIds: [serverId] };
    ({ key } = expectSuccess<{ key: string }>(await app.api.post('/api-keys', body, { token: owner.token })));
    port = await freePort();
  });
  afterEach(async () => {
    // The last one first: an agent before its game server.
    for (const program of programs.splice(0).reverse()) await program.kill();
  });
  afterAll(async () => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function start(command: string, args: readonly string[]): Program {
    const program = Program.start(command, args, { cwd: folder });
    programs.push(program);
    return program;
  }

  async function startGame(...args: string[]): Promise<Program> {
    const game = start(java, args);
    await game.says(/Done! For help/);
    return game;
  }

  async function joinGame(): Promise<Program> {
    const player = start(process.execPath, [PLAYER, mineflayer, String(port), 'Steve_42']);
    await player.says(/^joined$/m);
    return player;
  }

  function configure(way: object): string {
    const config = join(folder, `agent-${shop.serverId}.json`);
    const journal = `journal-${shop.serverId}.jsonl`;
    const server = { serverId: shop.serverId, game: 'minecraft', key, way };
    const settings = { url: `${app.baseUrl}/api/v2`, shopId: shop.shopId, journal, servers: [server] };
    writeFileSync(config, JSON.stringify(settings));
    return config;
  }

  const startAgent = (command: string, config: string): Program =>
    start(process.execPath, [AGENT, command, '--config', config]);

  /** Two paid orders get this delivery status, and the player has the items of each once. */
  async function arrives(status: string, player: Program, ...others: Program[]): Promise<void> {
    const orders = [await aPaidOrder(app.api, shop), await aPaidOrder(app.api, shop)];
    const state = (): string => [player, ...others].map(({ text }) => text).join('\n---\n');
    for (const order of orders) {
      await eventually(async () => (await deliveryStatusOf(app.api, order)) === status, state);
    }
    const expected = Object.fromEntries(orders.map(({ id }) => [id, 5]));
    const inventory = (): unknown => JSON.parse(player.text.trim().split('\n').at(-1)?.replace('joined', '{}') ?? '');
    await eventually(() => Promise.resolve(Object.keys(inventory() as object).length === 2), state);
    expect(inventory()).toEqual(expected);
  }

  it('gives what was bought by the standard input of a server that the agent starts', async () => {
    const way = { type: 'process', command: java, args: running('GameServer', String(port)) };
    const agent = startAgent('run', configure(way));
    await eventually(
      async () => {
        const status = await app.api.get(`/servers/public/${shop.serverId}/status`);
        return expectSuccess<{ status: string }>(status).status === 'online';
      },
      () => agent.text,
    );
    await arrives('delivered', await joinGame(), agent);
  });

  it('gives what was bought by the remote console', async () => {
    const rconPort = await freePort();
    const game = await startGame(...running('GameServer', String(port), String(rconPort)));
    const player = await joinGame();
    const config = configure({ type: 'rcon', host: '127.0.0.1', port: rconPort, password: 'sesame' });
    const check = startAgent('check', config);
    await check.ends();
    expect(check.text).toMatch(/answers; 1 online\n.*the key is accepted\n$/);
    const agent = startAgent('run', config);
    await arrives('delivered', player, agent, game);
  });

  (azLink === null ? it.skip : it)('gives what was bought by the unmodified core of AzLink', async () => {
    mkdirSync(join(folder, 'azlink-data'));
    // Its port for instant commands would be the same on all addresses of the machine.
    const settings = { instantCommands: false, httpPort: 0, checkUpdates: false };
    writeFileSync(join(folder, 'azlink-data', 'config.json'), JSON.stringify(settings));
    const game = await startGame(...running('LinkedServer', String(port), join(folder, 'azlink-data')));
    const player = await joinGame();
    game.write(`azlink setup ${app.baseUrl}/api/v2/azlink/${shop.serverId} ${key}\n`);
    await arrives('handed_over', player, game);
  });
});
