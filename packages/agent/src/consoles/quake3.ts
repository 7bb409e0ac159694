// The remote console of Quake 3 and its kin (OpenArena, FiveM), as SVC_RemoteCommand of https://github.com/ioquake/ioq3/blob/main/code/server/sv_main.c
// has it: one datagram with the password and the command, and unnumbered datagrams as the answer, without an end. The server answers ten at once,
// then one a second, and drops the others without a word.
import { createSocket, type Socket } from 'node:dgram';
import { type GameConsole, NotSent, Refused, type ReplyTimes, sleep, Unseen } from './console.js';

const HEADER = Buffer.from([0xff, 0xff, 0xff, 0xff]);
const PRINT = /^print\n/;
const REFUSED = /^(Bad rconpassword|No rconpassword set)/;
/** The line with the password, in bytes: a longer one is cut and run. */
const MAX_LINE = 1_020;

export interface Quake3Options extends ReplyTimes {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** How many commands the server answers at once, and how long each one more takes. */
  readonly burst: number;
  readonly perCommandMs: number;
}

export class Quake3 implements GameConsole {
  readonly isMixed = false;
  readonly confirms = true;
  private socket: Socket | null = null;
  private sockets = 0;
  private isRefused = false;
  /** When the server answers at once again: commands push it into the future. */
  private busyUntil = 0;

  constructor(private readonly options: Quake3Options) {}

  get session(): string | null {
    return this.socket === null ? null : `socket ${this.sockets}`;
  }

  async open(): Promise<void> {
    if (this.isRefused) throw new Refused('The console refused the password: correct it, and start the agent again');
    if (this.socket !== null) return;
    const { host, port } = this.options;
    const socket = createSocket('udp4');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', (error) => {
        reject(new NotSent(`No way to ${host}:${port}: ${error.message}`));
      });
      // Only datagrams of the server arrive.
      socket.connect(port, host, resolve);
    });
    this.socket = socket;
    this.sockets += 1;
  }

  async run(command: string): Promise<string> {
    const line = `rcon ${this.options.password} ${command}`;
    if (Buffer.byteLength(line) > MAX_LINE) throw new NotSent(`The command has more than ${MAX_LINE} bytes`);
    await this.open();
    await this.waitForTurn();
    const socket = this.socket;
    if (socket === null) throw new NotSent('The socket is closed');
    const parts = await this.answer(socket, Buffer.concat([HEADER, Buffer.from(line, 'utf8')])).catch(
      (error: unknown) => {
        // A late answer must not be taken for that of the next command.
        this.close();
        throw error;
      },
    );
    const text = parts.map((part) => part.subarray(HEADER.length).toString('utf8').replace(PRINT, '')).join('');
    if (!REFUSED.test(text)) return text;
    this.isRefused = true;
    this.close();
    throw new Refused(text.trim());
  }

  close(): void {
    this.socket?.close();
    this.socket = null;
  }

  private async waitForTurn(): Promise<void> {
    const { burst, perCommandMs } = this.options;
    const now = Date.now();
    this.busyUntil = Math.max(now, this.busyUntil) + perCommandMs;
    await sleep(Math.max(0, this.busyUntil - now - burst * perCommandMs));
  }

  private answer(socket: Socket, datagram: Buffer): Promise<Buffer[]> {
    const { quietMs, replyMs } = this.options;
    return new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      let quiet: NodeJS.Timeout | undefined;
      const finish = (settle: () => void): void => {
        clearTimeout(limit);
        clearTimeout(quiet);
        socket.removeAllListeners('message');
        socket.removeAllListeners('error');
        socket.on('error', () => undefined);
        settle();
      };
      const limit = setTimeout(() => {
        finish(() => {
          reject(new Unseen(`The console did not answer in ${replyMs} ms`));
        });
      }, replyMs);
      socket.removeAllListeners('error');
      socket.on('error', (error) => {
        finish(() => {
          reject(new Unseen(error.message));
        });
      });
      socket.on('message', (part: Buffer) => {
        if (!part.subarray(0, HEADER.length).equals(HEADER)) return;
        parts.push(part);
        clearTimeout(quiet);
        quiet = setTimeout(() => {
          finish(() => {
            resolve(parts);
          });
        }, quietMs);
      });
      socket.send(datagram);
    });
  }
}
