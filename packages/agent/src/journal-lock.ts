import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:net';
import { resolve } from 'node:path';

/**
 * Makes sure that one agent uses a journal. The lock ends with the process, also when it is killed: an abstract Unix socket on Linux, a named pipe
 * on Windows. A socket file would stay, and Node has no flock.
 * @throws Error when another agent has it
 */
export async function lockJournal(path: string): Promise<Server> {
  const name = `shop-agent-${createHash('sha256').update(resolve(path)).digest('hex').slice(0, 32)}`;
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((done, reject) => {
    server.once('error', () => {
      reject(new Error(`Another agent uses ${path}: stop it, or give this one a journal of its own`));
    });
    server.listen(process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : `\0${name}`, done);
  });
  server.unref();
  return server;
}
