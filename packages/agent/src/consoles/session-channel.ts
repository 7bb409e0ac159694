// Game servers that run without the agent: under systemd with a FIFO as its standard input (https://www.freedesktop.org/software/systemd/man/latest/systemd.socket.html,
// ListenFIFO=), or in tmux (https://man.openbsd.org/tmux). Their output is read from their log file.
import { execFile } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { messageOf, NotSent } from './console.js';
import { type LineChannel } from './line-console.js';

const POLL_MS = 50;

/** Writes a line to where the game server reads. */
export type LineWriter = (line: string) => Promise<void>;

/** Writes to a FIFO. Without a reader the line would wait for nobody. */
export function fifoWriter(path: string): LineWriter {
  return (line) => {
    try {
      const fifo = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
      try {
        writeSync(fifo, `${line}\n`);
      } finally {
        closeSync(fifo);
      }
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(new NotSent(`Nothing reads ${path}: ${messageOf(error)}`));
    }
  };
}

/** Types into a tmux session. */
export function tmuxWriter(target: string): LineWriter {
  const tmux = (...args: string[]): Promise<void> =>
    new Promise((resolve, reject) => {
      execFile('tmux', ['send-keys', '-t', target, ...args], (error) => {
        if (error === null) resolve();
        else reject(new NotSent(`tmux: ${error.message}`));
      });
    });
  return async (line) => {
    // Without -l tmux would read names of keys in it.
    await tmux('-l', '--', line);
    await tmux('Enter');
  };
}

/** Follows the log file of a game server, also when it is rotated. */
export class SessionChannel implements LineChannel {
  private listener: (line: string) => void = () => undefined;
  private file: { readonly fd: number; readonly inode: number; offset: number } | null = null;
  private timer: NodeJS.Timeout | null = null;
  private rest = '';

  constructor(
    private readonly writer: LineWriter,
    private readonly log: string,
  ) {}

  /** A game server begins its log anew when it starts. */
  get session(): string | null {
    return this.file === null ? null : `log ${this.file.inode}`;
  }

  onLine(listener: (line: string) => void): void {
    this.listener = listener;
  }

  open(): Promise<void> {
    try {
      if (this.file === null) this.follow(true);
      this.timer ??= setInterval(() => {
        this.poll();
      }, POLL_MS);
      return Promise.resolve();
    } catch (error) {
      return Promise.reject(new NotSent(`The log of the game server cannot be read: ${messageOf(error)}`));
    }
  }

  async write(line: string): Promise<void> {
    await this.writer(line);
  }

  close(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    if (this.file !== null) closeSync(this.file.fd);
    this.file = null;
  }

  private follow(fromEnd: boolean): void {
    const fd = openSync(this.log, 'r');
    const { ino, size } = fstatSync(fd);
    this.file = { fd, inode: ino, offset: fromEnd ? size : 0 };
    this.rest = '';
  }

  private poll(): void {
    try {
      const { ino, size } = statSync(this.log);
      if (this.file === null || this.file.inode !== ino || size < this.file.offset) {
        if (this.file !== null) closeSync(this.file.fd);
        this.follow(false);
      }
      const { file } = this;
      if (file === null || size <= file.offset) return;
      const bytes = Buffer.alloc(size - file.offset);
      file.offset += readSync(file.fd, bytes, 0, bytes.length, file.offset);
      const lines = (this.rest + bytes.toString('utf8')).split('\n');
      this.rest = lines.pop() ?? '';
      for (const line of lines) this.listener(line);
    } catch {
      // The log is away: the session ends, and `open` says why.
      if (this.file !== null) closeSync(this.file.fd);
      this.file = null;
    }
  }
}
