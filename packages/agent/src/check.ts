import { type Config } from './config.js';
import { messageOf } from './consoles/console.js';
import { gameOf, openConsole } from './open-console.js';
import { ShopClient } from './shop-client.js';

/**
 * Tries everything that a delivery needs, and says what is wrong. It runs nothing but the command that prints who is online.
 * @returns one line for each finding, and whether all is well
 */
export async function check(config: Config): Promise<{ readonly lines: readonly string[]; readonly isWell: boolean }> {
  const lines: string[] = [];
  let isWell = true;
  const attempt = async (what: string, work: () => Promise<string>): Promise<void> => {
    try {
      lines.push(`ok       ${what}: ${await work()}`);
    } catch (error) {
      isWell = false;
      lines.push(`problem  ${what}: ${messageOf(error)}`);
    }
  };
  for (const server of config.servers) {
    const game = gameOf(server);
    const console = openConsole(server, game, config.journal);
    await attempt(`${server.name}, console`, async () => {
      await console.open();
      if (game.probe === '' || !console.confirms) return 'reachable; it does not tell who is online';
      const text = await console.run(game.probe);
      const players = game.playersOf?.(text) ?? null;
      if (players === null) {
        return 'answers; it does not tell who is online, so products that require an online player are never delivered here';
      }
      return `answers; ${players.length} online`;
    });
    await attempt(`${server.name}, shop`, async () => {
      const shop = new ShopClient(config.url, config.shopId, server.key);
      // A report about a delivery that does not exist changes nothing, and shows whether the key may deliver.
      await shop.acknowledge([{ deliveryId: '0'.repeat(24), attempt: 1, status: 'released' }]);
      return 'the key is accepted';
    });
    console.close();
  }
  return { lines, isWell };
}
