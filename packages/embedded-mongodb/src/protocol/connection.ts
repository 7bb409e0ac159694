import { type Socket } from 'node:net';
import { dispatch, errorReply } from '../commands/dispatcher.js';
import { type Client } from '../commands/client.js';
import { type Reply, type Server } from '../commands/operation.js';
import { StoreError } from '../errors.js';
import { replyBytes, maxMessageBytes, type Message, parseMessage } from './message.js';

const malformed = 17; // ProtocolError: where the next message begins can't be trusted

/** Serves one connection: its commands one after the other, in the order in which they come. */
export class Connection {
  private readonly client: Client;
  private chunks: Buffer[] = [];
  private buffered = 0;
  private busy = false;

  constructor(
    private readonly server: Server,
    private readonly socket: Socket,
    id: number,
  ) {
    const closed = new AbortController();
    this.client = { id, appName: '', closed: closed.signal };
    socket.once('close', () => {
      closed.abort();
      server.running.abandon(this.client);
    });
    socket.setNoDelay(true);
    socket.on('data', (chunk: Buffer) => this.receive(chunk));
    socket.on('error', () => socket.destroy());
  }

  private receive(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    if (!this.busy) void this.serve();
  }

  /** Takes one complete message from the received bytes, if there is one; `false` when they are no message of the protocol. */
  private take(): Buffer | undefined | false {
    if (this.buffered < 16) return undefined;
    if ((this.chunks[0]?.length ?? 0) < 4) this.chunks = [Buffer.concat(this.chunks)];
    const size = this.chunks[0]?.readInt32LE(0) ?? 0;
    if (size < 16 || size > maxMessageBytes) return false;
    if (this.buffered < size) return undefined;
    const all = this.chunks.length === 1 ? this.chunks[0] : Buffer.concat(this.chunks);
    if (!all) return undefined;
    this.chunks = all.length > size ? [all.subarray(size)] : [];
    this.buffered -= size;
    return all.subarray(0, size);
  }

  private async serve(): Promise<void> {
    this.busy = true;
    try {
      for (let bytes = this.take(); bytes !== undefined; bytes = this.take()) {
        if (bytes === false || !(await this.respond(bytes))) return void this.socket.destroy();
      }
    } catch {
      this.socket.destroy(); // a message that can't be read: where the next one begins is not known
    } finally {
      this.busy = false;
    }
  }

  private async respond(bytes: Buffer): Promise<boolean> {
    const message = this.parse(bytes);
    if (!message) return true;
    const verdict = await dispatch(this.server, this.client, message.body);
    if (verdict === 'close') return false;
    if (!message.silent) this.send(message, verdict);
    return true;
  }

  /** Reads the message. For invalid documents it sends the error to the client and returns nothing. */
  private parse(bytes: Buffer): Message | undefined {
    try {
      return parseMessage(bytes);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code === malformed) throw error;
      this.send({ requestId: bytes.readInt32LE(4), body: new Map(), silent: false, legacy: false }, errorReply(error));
      return undefined;
    }
  }

  private send(message: Message, reply: Reply): void {
    if (!this.socket.destroyed) this.socket.write(replyBytes(message, reply));
  }
}
