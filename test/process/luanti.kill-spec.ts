import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aDeliveringShop, aPaidOrder, type DeliveringShop, deliveryStatusOf } from '../deliveries/delivery-actors.js';
import { aKey, type TestOrder } from '../support/actors.js';
import { eventually } from '../support/eventually.js';
import { freeUdpPort } from '../support/free-port.js';
import { inDatabase } from '../support/in-database.js';
import { Program } from '../support/program.js';
import { idOf } from '../support/records.js';
import { startTestApp, type TestApp } from '../support/test-app.js';

/** The programs of Debian (minetest-server, minetest, xvfb). */
const [SERVER, CLIENT, SCREEN] = ['/usr/lib/minetest/minetestserver', '/usr/games/minetest', '/usr/bin/xvfb-run'];
const isComplete = [SERVER, CLIENT, SCREEN].every((path) => existsSync(path));
if (!isComplete)
  process.stderr.write('Left out: Luanti, because minetest-server, minetest or xvfb of Debian is absent.\n');

const MOD = join(import.meta.dirname, '..', '..', 'packages', 'luanti-mod', 'shop_delivery');
/** Luanti saves players every 5.3 seconds of the game's own time, so a second save has happened after twice that. */
const TWO_SAVES_SECONDS = 2 * 5.3;
/** Prints what each player holds and the time of the game, every half second: after a start that is what was saved. */
const COUNTER = `
local time = 0
core.register_globalstep(function(seconds) time = time + seconds end)
local function count()
  for _, player in ipairs(core.get_connected_players()) do
    local sum = 0
    for _, stack in ipairs(player:get_inventory():get_list("main")) do
      if stack:get_name() == "default:diamond" then sum = sum + stack:get_count() end
    end
    core.log("action", "[count] " .. player:get_player_name() .. " has " .. sum .. " at " .. string.format("%.2f", time))
  end
  core.after(0.5, count)
end
count()
`;

/** The seconds of the game's time from the count before the first line to the count after the second line. */
function secondsBetween(text: string, first: RegExp, second: RegExp): number {
  const times = (part: string): number[] => [...part.matchAll(/ has \d+ at ([\d.]+)/g)].map(([, time]) => Number(time));
  const [before, after] = [text.slice(0, text.search(first)), text.slice(text.search(second))];
  return (times(after)[0] ?? NaN) - (times(before).at(-1) ?? NaN);
}

(isComplete ? describe : describe.skip)('Luanti', () => {
  const folder = mkdtempSync(join(tmpdir(), 'luanti-'));
  let app: TestApp;
  let shop: DeliveringShop;
  let port: number;
  const env = { PATH: process.env['PATH'], HOME: folder, LIBGL_ALWAYS_SOFTWARE: '1' };
  let server: Program | null = null;
  let client: Program | null = null;

  beforeAll(async () => {
    app = await startTestApp({ config: { deliveryLeaseMs: 60_000 } });
    shop = await aDeliveringShop(app.api, {
      commands: ['give {nickname} default:diamond 5'],
      requiresOnline: true,
    });
    const { key } = await aKey(app.api, shop, 'plugin', ['deliveries:write', 'servers:report']);
    port = await freeUdpPort();
    const mods = join(folder, 'world', 'worldmods');
    mkdirSync(join(mods, 'counter'), { recursive: true });
    cpSync(MOD, join(mods, 'shop_delivery'), { recursive: true });
    // The usual pause of the shop is longer than two saves, and would hide a mod that acknowledges at once.
    const code = readFileSync(join(MOD, 'init.lua'), 'utf8');
    const PAUSE = 'lease.nextPollSeconds';
    expect(code).toContain(PAUSE);
    writeFileSync(join(mods, 'shop_delivery', 'init.lua'), code.replace(PAUSE, '1'));
    writeFileSync(join(mods, 'counter', 'init.lua'), COUNTER);
    const settings = {
      ...{ bind_address: '127.0.0.1', name: 'admin', 'secure.http_mods': 'shop_delivery', enable_damage: 'false' },
      ...{ shop_url: `${app.baseUrl}/api/v2`, shop_id: shop.shopId, shop_server_id: shop.serverId, shop_key: key },
      ...{ server_announce: 'false', mg_name: 'singlenode' },
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
    writeFileSync(join(folder, 'server.conf'), lines.join(''));
    writeFileSync(
      join(folder, 'client.conf'),
      'screen_w = 320\nscreen_h = 240\nenable_sound = false\nviewing_range = 20\n',
    );
  });
  afterAll(async () => {
    await client?.kill();
    await server?.kill();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function play(): Promise<{ server: Program; client: Program }> {
    const world = ['--world', join(folder, 'world'), '--gameid', 'minetest_game'];
    const options = ['--port', String(port), '--config', join(folder, 'server.conf')];
    const started = Program.start(SERVER, [...world, ...options], { env });
    server = started;
    await started.says(/listening on|Server for gameid/);
    const player = ['--address', '127.0.0.1', '--port', String(port), '--name', 'Steve_42', '--password', 'secret'];
    const joined = Program.start(
      SCREEN,
      ['-a', '-s', '-screen 0 320x240x24', CLIENT, '--config', join(folder, 'client.conf'), ...player, '--go'],
      { env },
    );
    client = joined;
    await started.says(/\[count\] Steve_42 has/);
    return { server: started, client: joined };
  }

  async function killed(): Promise<void> {
    await server?.kill();
    await client?.kill();
  }

  const letTimePass = (): Promise<unknown> =>
    inDatabase(app, (db) =>
      db
        .collection('deliveries')
        .updateMany(
          { shopId: idOf(shop.shopId), state: { $in: ['leased', 'queued'] } },
          { $set: { dueAt: new Date(0) } },
        ),
    );
  const delivered = (order: TestOrder): Promise<unknown> =>
    eventually(async () => (await deliveryStatusOf(app.api, order)) === 'delivered');

  it('gives what a player bought once, however the server is killed', async () => {
    let { server: game } = await play();
    const first = await aPaidOrder(app.api, shop);
    await game.says(/\[shop\] acknowledged \S+: delivered/);
    await killed();
    expect(await deliveryStatusOf(app.api, first)).toBe('delivered');

    ({ server: game } = await play());
    await game.says(/\[count\] Steve_42 has 5\b/);
    const second = await aPaidOrder(app.api, shop);
    // Killed right after the item, usually before a save.
    await game.says(/attempt 1: delivered/);
    await killed();
    await letTimePass();
    ({ server: game } = await play());
    await delivered(second);
    await game.says(/\[shop\] acknowledged[\s\S]*\[count\] Steve_42 has 10\b/);
    const waited = secondsBetween(game.text, /attempt \d+: delivered/, /\[shop\] acknowledged/);
    expect(waited).toBeGreaterThan(TWO_SAVES_SECONDS);

    const third = await aPaidOrder(app.api, shop);
    await game.says(/attempt 1: delivered/);
    const given = game.text.length;
    // Thirteen counts are at least six seconds: the save has happened, and the acknowledgement has not.
    await game.says(/(?:\[count\] Steve_42 has 15\b[\s\S]*){13}/, given);
    await killed();
    await letTimePass();
    ({ server: game } = await play());
    await delivered(third);
    await game.says(/\[count\] Steve_42 has 15\b/);
    await killed();

    ({ server: game } = await play());
    await game.says(/\[count\] Steve_42 has 15\b/);
  });
});
