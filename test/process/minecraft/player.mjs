// player.mjs MINEFLAYER PORT NAME: a player who joins without an account. Prints `joined`, and the inventory whenever it changes, as a line of
// JSON: how many diamonds have which name.
import { createRequire } from 'node:module';

const [, , folder, port, username] = process.argv;
const mineflayer = createRequire(`${folder}/`)('mineflayer');
const bot = mineflayer.createBot({
  host: '127.0.0.1',
  port: Number(port),
  username,
  auth: 'offline',
  version: '1.21.11',
});
const nameOf = ({ components }) => /[0-9a-f]{24}/.exec(JSON.stringify(components))?.[0] ?? 'nameless';

function print() {
  const counts = {};
  for (const item of bot.inventory.items()) counts[nameOf(item)] = (counts[nameOf(item)] ?? 0) + item.count;
  console.log(JSON.stringify(counts));
}
bot.once('spawn', () => {
  console.log('joined');
  bot.inventory.on('updateSlot', print);
});
for (const event of ['error', 'kicked']) bot.on(event, (reason) => console.log(event, reason));
