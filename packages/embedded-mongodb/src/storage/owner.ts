import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** The right to use a data directory; it ends with {@link release} or at any end of the process. */
export interface Ownership {
  /** Whether the directory still belongs to this process: `false` when its socket was removed, so that others may have taken it. */
  isHeld(): boolean;
  /** Takes the directory again when it is not held. Throws when another process has taken it. */
  renew(): Promise<void>;
  /** Gives the directory back. */
  release(): void;
}

/** The code of an error of the system (`EACCES`); `undefined` for another error. */
export const systemCode = (error: unknown): string | undefined =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;

const inUse = (directory: string, owner: string): Error =>
  new Error(
    `The data directory ${directory} is in use by ${owner || 'another process'}. Only one process may use it: stop that one or choose another directory.`,
  );

const maxSocketPath = 100; // the system's limit is 104 (macOS) or 108 (Linux) bytes
const patienceMs = 2000;
const attemptMs = 10;
/** How long an owner whose socket was deleted needs at most for the commit that it has begun. */
const commitMs = 1000;
const ownerName = /^owner-(\d+)$/;
const newName = /^owner-[0-9a-f]+\.new$/;
/** What connecting to a socket fails with when no process listens on it any more, or when it is no socket (a copy). */
const deadCodes = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'];

/**
 * Reserves the directory for this process. Throws when another process has it, also one in another container
 * (pid or network namespace) of this machine; and the system's error when the directory can't be written.
 *
 * The owner listens on a Unix socket `owner-<number>` in the directory. The kernel closes the socket when the process
 * ends, so a process that can't connect to the newest socket knows that its owner is dead. It then listens on a socket of its
 * own and links it to the next number, which only one process can do. Three rules keep a slow process from taking a
 * number that others have already passed:
 *
 * - a socket gets its number after it listens, so the socket of a running owner never looks dead;
 * - only an owner removes sockets, and only those with a lower number, so the highest number never goes down;
 * - a process that finds a higher number after it has linked its own is not the owner, and begins again.
 *
 * Somebody can delete the socket. So on Linux the owner also listens on an abstract socket, which has no file: its name is the
 * inode of the directory, and it exists once in a network namespace. A process in another network namespace does not see it,
 * and takes a directory whose sockets were deleted. The first owner notices that before its next commit
 * ({@link Ownership.isHeld}), and the new one waits as long as a commit takes.
 */
export async function takeOwnership(directory: string): Promise<Ownership> {
  if (process.platform === 'win32') {
    const release = await takeName(directory, pipeName(directory));
    return { isHeld: () => true, renew: () => Promise.resolve(), release };
  }
  const releaseName =
    process.platform === 'linux' ? await takeName(directory, abstractName(directory)) : () => undefined;
  try {
    let socket = await takeSocket(directory);
    return {
      isHeld: () => identityOf(socket.path) === socket.identity,
      async renew() {
        socket.server.close();
        socket = await takeSocket(directory);
      },
      release() {
        socket.server.close();
        releaseName();
      },
    };
  } catch (error) {
    releaseName();
    throw error;
  }
}

/** The socket of an owner in the directory. */
interface OwnerSocket {
  readonly server: Server;
  readonly path: string;
  readonly identity: string | undefined;
}

async function takeSocket(directory: string): Promise<OwnerSocket> {
  const short = shortened(directory);
  try {
    for (;;) {
      const last = highestNumber(directory);
      const owner = last > 0 ? await ownerAt(join(short.path, `owner-${last}`)) : undefined;
      if (owner !== undefined) throw inUse(directory, owner);
      const server = await listenAs(short.path, last + 1);
      const path = join(directory, `owner-${last + 1}`);
      const identity = identityOf(path);
      if (server && identity !== undefined && highestNumber(directory) === last + 1) {
        removeOlder(directory, last + 1);
        if (last === 0 && existsSync(join(directory, 'data.mdb'))) await pause(commitMs);
        return { server, path, identity };
      }
      server?.close();
    }
  } finally {
    short.remove();
  }
}

/** The device and inode of a file; `undefined` when it does not exist. */
export function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}-${found.ino}`;
}

const abstractName = (directory: string): string => `\0embedded-mongodb-${identityOf(directory)}`;

/** A path to the directory that leaves enough bytes for a socket's name: its own, or a symbolic link that is removed later. */
function shortened(directory: string): { path: string; remove: () => void } {
  if (Buffer.byteLength(directory) <= maxSocketPath - 'owner-0123456789abcdef.new'.length)
    return { path: directory, remove: () => undefined };
  const parent = mkdtempSync(join(tmpdir(), 'store-'));
  const path = join(parent, 'd');
  symlinkSync(directory, path);
  return { path, remove: () => rmSync(parent, { recursive: true }) };
}

const highestNumber = (directory: string): number =>
  readdirSync(directory).reduce((highest, name) => Math.max(highest, Number(ownerName.exec(name)?.[1] ?? 0)), 0);

/**
 * The description that the socket's owner sends; `''` when it runs but sends nothing in time, `undefined` when it is dead.
 * A connection that is closed without data proves nothing (the owner may be out of file descriptors), so it is repeated.
 */
async function ownerAt(path: string): Promise<string | undefined> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const owner = await query(path, Math.max(1, deadline - performance.now()));
    if (owner !== '' || performance.now() >= deadline) return owner;
    await pause(attemptMs);
  }
}

function query(path: string, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = '';
    const socket = connect(path);
    const settle = (owner: string | undefined): void => {
      resolve(owner);
      socket.destroy();
    };
    socket.setEncoding('utf8').setTimeout(timeoutMs, () => settle(said));
    socket.on('data', (text: string) => (said += text));
    socket.on('end', () => settle(said));
    socket.on('error', (error) => settle(deadCodes.includes(systemCode(error) ?? '') ? undefined : said));
  });
}

const me = (): string => `process ${process.pid} on ${hostname()}`;

/** Sends the description of this process to everybody who connects. */
const ownerServer = (): Server =>
  createServer((socket) => {
    socket.on('error', () => undefined); // the client has disconnected
    socket.write(me());
    socket.destroySoon();
  });

const listening = (server: Server, path: string): Promise<void> =>
  new Promise((done, failed) => {
    server.once('error', failed);
    // Every user with access to the directory must be able to connect. An abstract socket is open to all users.
    server.listen({ path, writableAll: !path.startsWith('\0') }, done);
  });

/** Listens on a new socket and gives it the number; `undefined` when another process was faster. */
async function listenAs(directory: string, number: number): Promise<Server | undefined> {
  const path = join(directory, `owner-${randomBytes(8).toString('hex')}.new`);
  const server = ownerServer();
  try {
    await listening(server, path);
    linkSync(path, join(directory, `owner-${number}`));
    return server;
  } catch (error) {
    server.close();
    if (['EEXIST', 'ENOENT'].includes(systemCode(error) ?? '')) return undefined; // ENOENT: the new owner removed this socket
    throw error;
  } finally {
    rmSync(path, { force: true });
  }
}

/** Removes the sockets of dead owners, and those of processes that have not got a number and can't get this one. */
function removeOlder(directory: string, number: number): void {
  for (const name of readdirSync(directory)) {
    const older = Number(ownerName.exec(name)?.[1] ?? number) < number;
    if (older || newName.test(name)) rmSync(join(directory, name), { force: true });
  }
}

/** On Windows a named pipe, which exists once in the system and ends with its process, takes the sockets' place. */
const pipeName = (directory: string): string => {
  const id = createHash('sha256').update(realpathSync.native(directory).toLowerCase()).digest('hex');
  return `\\\\.\\pipe\\embedded-mongodb-${id}`;
};

/** Listens on a name that no file has, and returns how to free it. */
async function takeName(directory: string, name: string): Promise<() => void> {
  for (;;) {
    const server = ownerServer();
    try {
      await listening(server, name);
      return () => void server.close();
    } catch (error) {
      if (systemCode(error) !== 'EADDRINUSE') throw error;
      const owner = await ownerAt(name);
      if (owner !== undefined) throw inUse(directory, owner);
    }
  }
}
