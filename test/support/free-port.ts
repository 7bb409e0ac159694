import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below those that Linux gives to outgoing connections: a process that is restarted gets it again. */
const aPort = (): number => randomInt(20_000, 32_768);

const happens = (event: Promise<unknown>): Promise<boolean> =>
  event.then(
    () => true,
    () => false,
  );

/** A port of TCP that is free now. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = aPort();
    const server = createServer().listen(port, '127.0.0.1');
    if (!(await happens(once(server, 'listening')))) continue;
    await once(server.close(), 'close');
    return port;
  }
}

/** A port of UDP that is free now. */
export async function freeUdpPort(): Promise<number> {
  for (;;) {
    const port = aPort();
    const socket = createSocket('udp4').bind(port, '127.0.0.1');
    const isFree = await happens(once(socket, 'listening'));
    socket.close();
    if (isFree) return port;
  }
}
