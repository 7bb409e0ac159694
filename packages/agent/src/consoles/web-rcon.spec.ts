import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import { Refused, Unseen } from './console.js';
import { WebRcon } from './web-rcon.js';

let server: WebSocketServer;
let ran: string[];
let isSilent: boolean;
let console: WebRcon;

beforeEach(async () => {
  [ran, isSilent] = [[], false];
  server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  server.on('connection', (socket, { url }) => {
    if (url !== '/sesam%20e') socket.close();
    socket.on('message', (data: Buffer) => {
      const { Identifier, Message } = JSON.parse(data.toString()) as { Identifier: number; Message: string };
      ran.push(Message);
      // Chat comes unasked.
      socket.send(JSON.stringify({ Identifier: -1, Message: 'No player found', Type: 'Chat' }));
      socket.send('not a frame');
      if (Message === 'die') socket.terminate();
      else if (!isSilent) socket.send(JSON.stringify({ Identifier, Message: `Ran ${Message}`, Type: 'Generic' }));
    });
  });
  console = aConsole('sesam e');
});
afterEach(() => {
  console.close();
  for (const client of server.clients) client.terminate();
  server.close();
});

const aConsole = (password: string): WebRcon => {
  const { port } = server.address() as AddressInfo;
  return new WebRcon({ host: '127.0.0.1', port, password, quietMs: 40, replyMs: 300 });
};

describe('The console of Rust', () => {
  it('returns the answer with the number of the command, and no chat', async () => {
    expect(await console.run('oxide.grant Steve vip')).toBe('Ran oxide.grant Steve vip');
    expect(console.session).toBe('connection 1');
  });

  it.each(['die', 'silence'])('says that nobody saw what became of a command: %s', async (command) => {
    await console.open();
    isSilent = true;
    await expect(console.run(command)).rejects.toBeInstanceOf(Unseen);
    expect(ran).toEqual(['serverinfo', command]);
    expect(console.session).toBeNull();
  });

  it('knows a wrong password by the closed connection, and shows it nowhere', async () => {
    const wrong = aConsole('hunter2');
    await expect(wrong.open()).rejects.toBeInstanceOf(Refused);
    await expect(wrong.open()).rejects.toThrow(/^(?!.*hunter2)/);
    wrong.close();
  });
});
