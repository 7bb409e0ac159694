import { once } from 'node:events';
import { createRequire } from 'node:module';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { endCommandsOfClosedSockets } from './closed-sockets.js';

interface DriverConnection {
  command(namespace: object, command: object, options: object): Promise<unknown>;
}
const { Connection } = createRequire(import.meta.url)('mongodb/lib/cmap/connection.js') as {
  Connection: new (socket: Socket, options: object) => DriverConnection;
};

describe('endCommandsOfClosedSockets', () => {
  let server: Server;

  beforeAll(async () => {
    endCommandsOfClosedSockets();
    server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    server.close();
  });

  it('rejects a command that is written before the close event of an ended socket, instead of waiting forever', async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    const connection = new Connection(socket, { id: 1, generation: 0, hostAddress: '127.0.0.1' });
    let outcome: unknown = 'it waits';
    socket.destroy();
    connection.command({ db: 'admin' }, { hello: 1 }, {}).catch((error: unknown) => (outcome = error));
    await new Promise((resolve) => socket.once('close', resolve));
    await setImmediate();
    expect(outcome).toMatchObject({ name: 'MongoNetworkError' });
  });
});
