import { parseArgs } from 'node:util';
import { check } from './check.js';
import { ConfigError, readConfig } from './config.js';
import { CONFIG_SCHEMA } from './config-schema.js';
import { messageOf } from './consoles/console.js';
import { init } from './init.js';
import { Journal } from './journal.js';
import { lockJournal } from './journal-lock.js';
import { gameOf, openConsole } from './open-console.js';
import { ServerLoop } from './server-loop.js';
import { ShopClient } from './shop-client.js';

const VERSION = '1.0.0';
const HELP = `shop-agent ${VERSION}: delivers the orders of a shop through the console of a game server

  shop-agent init URL CODE   exchanges a connect code of the shop for a key, and writes a configuration
  shop-agent schema          prints the JSON Schema of the configuration
  shop-agent check           tries the configuration, and says what is wrong
  shop-agent run             delivers until it is stopped

  --config FILE              the configuration (agent.json)
`;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function run(configPath: string): Promise<void> {
  const config = readConfig(configPath);
  await lockJournal(config.journal);
  const journal = new Journal(config.journal);
  const loops = config.servers.map((server) => {
    const game = gameOf(server);
    const console = openConsole(server, game, config.journal);
    const shop = new ShopClient(config.url, config.shopId, server.key);
    const { serverId, name, maxPlayers } = server;
    const settings = { serverId, name, maxPlayers, version: `shop-agent ${VERSION}` };
    return new ServerLoop(settings, shop, console, game, journal, (line) => {
      say(`${new Date().toISOString()} ${name}: ${line}`);
    });
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const loop of loops) loop.stop();
      // A command that runs now is uncertain in the journal, and the next start reports it.
      process.exit(0);
    });
  }
  say(
    `${new Date().toISOString()} shop-agent ${VERSION} delivers to ${config.servers.map(({ name }) => name).join(', ')}`,
  );
  await Promise.all(loops.map((loop) => loop.run()));
  throw new Error('No console accepts its password: nothing is delivered');
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { config: { type: 'string', default: 'agent.json' }, help: { type: 'boolean', short: 'h' } },
  });
  const [command, url, code] = positionals;
  if (values.help === true || command === undefined) {
    say(HELP);
  } else if (command === 'run') {
    await run(values.config);
  } else if (command === 'check') {
    const { lines, isWell } = await check(readConfig(values.config));
    for (const line of lines) say(line);
    process.exitCode = isWell ? 0 : 1;
  } else if (command === 'schema') {
    say(JSON.stringify(CONFIG_SCHEMA, null, 2));
  } else if (command === 'init' && url !== undefined && code !== undefined) {
    for (const line of await init(url, code, values.config)) say(line);
  } else {
    throw new Error(`Unknown command, or an argument is missing\n\n${HELP}`);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.problems.join('\n') : messageOf(error)}\n`);
  process.exit(1);
});
