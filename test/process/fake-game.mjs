// fake-game.mjs PORT FOLDER: a game server with the remote console of Minecraft. `give NAME ITEM` puts an item into an inventory in memory. Inventories
// are on disk after `save-all flush`, and every five seconds, as games save them: what was not saved when it is killed is lost.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const [, , port, folder] = process.argv;
const FILE = join(folder, 'inventory.json');
const items = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : [];

function save() {
  const file = openSync(`${FILE}.next`, 'w');
  writeSync(file, JSON.stringify(items));
  fsyncSync(file);
  closeSync(file);
  renameSync(`${FILE}.next`, FILE);
  return 'Saved the game';
}
setInterval(save, 5_000);

function run(command) {
  const [word, name, item] = command.split(' ');
  if (command === 'list') return 'There are 1 of a max of 20 players online: Steve_42';
  if (command === 'save-all flush') return save();
  if (word !== 'give') return 'Unknown or incomplete command, see below for error';
  items.push(item);
  return `Gave 1 [${item}] to ${name}`;
}

function packet(id, type, text) {
  const body = Buffer.from(text);
  const bytes = Buffer.alloc(14 + body.length);
  bytes.writeInt32LE(10 + body.length, 0);
  bytes.writeInt32LE(id, 4);
  bytes.writeInt32LE(type, 8);
  body.copy(bytes, 12);
  return bytes;
}

createServer((socket) => {
  let rest = Buffer.alloc(0);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0) + 4) {
      const size = rest.readInt32LE(0);
      const [id, type, text] = [rest.readInt32LE(4), rest.readInt32LE(8), rest.subarray(12, size + 2).toString()];
      rest = rest.subarray(size + 4);
      if (type === 3) socket.write(packet(text === 'sesame' ? id : -1, 2, ''));
      else socket.write(packet(id, 0, type === 2 ? run(text) : `Unknown request ${type}`));
    }
  });
}).listen(Number(port), '127.0.0.1', () => process.stdout.write('Done\n'));
