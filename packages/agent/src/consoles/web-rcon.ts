// The console of Rust over a WebSocket (https://github.com/Facepunch/webrcon): JSON frames with a number for each command. Chat and log lines come
// unasked with the number 0 or -1. A wrong password closes the socket. Node 20 has no WebSocket, so `ws` is used.
import { WebSocket } from 'ws';
import { type GameConsole, NotSent, Refused, type ReplyTimes, Unseen } from './console.js';

export interface WebRconOptions extends ReplyTimes {
  readonly host: string;
  readonly port: number;
  readonly password: string;
}

export class WebRcon implements GameConsole {
  readonly isMixed = false;
  readonly confirms = true;
  private socket: WebSocket | null = null;
  private connections = 0;
  private lastId = 0;
  private waiting: { readonly id: number; resolve(text: string): void; reject(error: Error): void } | null = null;

  constructor(private readonly options: WebRconOptions) {}

  get session(): string | null {
    return this.socket === null ? null : `connection ${this.connections}`;
  }

  async open(): Promise<void> {
    if (this.socket !== null) return;
    const { host, port, password, replyMs } = this.options;
    const socket = new WebSocket(`ws://${host}:${port}/${encodeURIComponent(password)}`, { handshakeTimeout: replyMs });
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve);
      // The message of the library can have the address, and the address has the password.
      socket.once('error', () => {
        reject(new NotSent(`No connection to ${host}:${port}`));
      });
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      // A connection that was given up ends later, and says nothing about the next one.
      if (this.socket !== socket) return;
      this.socket = null;
      this.waiting?.reject(new Unseen('The connection ended before the reply'));
    });
    socket.on('message', (data: Buffer) => {
      this.receive(data.toString('utf8'));
    });
    this.socket = socket;
    this.connections += 1;
    // The server accepts the handshake of everybody, and closes the socket when the password is wrong.
    await this.run('serverinfo').catch((error: unknown) => {
      this.close();
      if (error instanceof Unseen) throw new Refused('The console closed the connection: is the password right?');
      throw error;
    });
  }

  async run(command: string): Promise<string> {
    await this.open();
    const socket = this.socket;
    if (socket === null) throw new NotSent('The connection is closed');
    const id = (this.lastId = (this.lastId % 1_000_000) + 1);
    const { replyMs } = this.options;
    return new Promise<string>((resolve, reject) => {
      const limit = setTimeout(() => {
        this.close();
        settle(() => {
          reject(new Unseen(`The console did not answer in ${replyMs} ms`));
        });
      }, replyMs);
      const settle = (end: () => void): void => {
        clearTimeout(limit);
        this.waiting = null;
        end();
      };
      this.waiting = {
        id,
        resolve: (text) => {
          settle(() => {
            resolve(text);
          });
        },
        reject: (error) => {
          settle(() => {
            reject(error);
          });
        },
      };
      socket.send(JSON.stringify({ Identifier: id, Message: command, Name: 'shop-agent' }));
    });
  }

  close(): void {
    this.socket?.terminate();
    this.socket = null;
  }

  private receive(frame: string): void {
    const { waiting } = this;
    if (waiting === null) return;
    try {
      const { Identifier, Message } = JSON.parse(frame) as { Identifier?: unknown; Message?: unknown };
      if (Identifier === waiting.id) waiting.resolve(typeof Message === 'string' ? Message : '');
    } catch {
      // Not a frame of this protocol: no answer to a command.
    }
  }
}
