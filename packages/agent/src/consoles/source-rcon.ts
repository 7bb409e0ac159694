// Source RCON, as https://developer.valvesoftware.com/wiki/Source_RCON_Protocol specifies it, and as Minecraft, ARK, Factorio, Palworld and others
// speak it. The reply of a command has no end mark: an empty packet of type 0 after its first packet is mirrored (Minecraft answers it
// with an error, which serves as well), and where nothing mirrors it, quiet time ends the reply. One packet in each write, and none before the
// last reply has ended: Minecraft closes the connection on two packets in one segment.
import { connect, type Socket } from 'node:net';
import { type GameConsole, NotSent, Refused, type ReplyTimes, Unseen } from './console.js';

const [LOGIN, COMMAND, REPLY] = [3, 2, 0];
const [MIN_SIZE, MAX_SIZE] = [10, 64 * 1024];

export interface SourceRconOptions extends ReplyTimes {
  readonly host: string;
  readonly port: number;
  readonly password: string;
  /** Whether the server mirrors an empty packet. */
  readonly mirrors: boolean;
}

interface Packet {
  readonly id: number;
  readonly type: number;
  readonly body: Buffer;
}

export function encodePacket(id: number, type: number, text: string): Buffer {
  const body = Buffer.from(text, 'utf8');
  const packet = Buffer.alloc(14 + body.length);
  packet.writeInt32LE(MIN_SIZE + body.length, 0);
  packet.writeInt32LE(id, 4);
  packet.writeInt32LE(type, 8);
  body.copy(packet, 12);
  return packet;
}

/** Splits what arrives into packets by their length, whatever the chunks are. Returns null when the framing is lost. */
export function packetReader(): (chunk: Buffer) => Packet[] | null {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const packets: Packet[] = [];
    while (rest.length >= 4) {
      const size = rest.readInt32LE(0);
      if (size < MIN_SIZE || size > MAX_SIZE) return null;
      if (rest.length < size + 4) break;
      packets.push({ id: rest.readInt32LE(4), type: rest.readInt32LE(8), body: rest.subarray(12, size + 2) });
      rest = rest.subarray(size + 4);
    }
    return packets;
  };
}

export class SourceRcon implements GameConsole {
  readonly isMixed = false;
  readonly confirms = true;
  private socket: Socket | null = null;
  private connections = 0;
  private lastId = 0;
  private isRefused = false;
  private onPacket: (packet: Packet) => void = () => undefined;
  private onEnd: (error: Error) => void = () => undefined;

  constructor(private readonly options: SourceRconOptions) {}

  get session(): string | null {
    return this.socket === null ? null : `connection ${this.connections}`;
  }

  async open(): Promise<void> {
    if (this.isRefused) throw new Refused('The console refused the password: correct it, and start the agent again');
    if (this.socket !== null) return;
    const { host, port, password, replyMs } = this.options;
    const socket = connect(port, host);
    await new Promise<void>((resolve, reject) => {
      const fail = (error: Error): void => {
        socket.destroy();
        reject(new NotSent(`No connection to ${host}:${port}: ${error.message}`));
      };
      socket.setTimeout(replyMs, () => {
        fail(new Error(`no answer in ${replyMs} ms`));
      });
      socket.once('connect', resolve);
      socket.once('error', fail);
    });
    socket.setTimeout(0);
    socket.setNoDelay(true);
    this.listen(socket);
    const id = this.nextId();
    const verdict = this.collect(
      ({ type }) => type === COMMAND,
      () => true,
    );
    socket.write(encodePacket(id, LOGIN, password));
    const [answer] = await verdict.catch((error: unknown) => {
      this.close();
      throw new NotSent(`The console did not answer the login: ${(error as Error).message}`);
    });
    if (answer?.id === id) return;
    this.isRefused = true;
    this.close();
    throw new Refused('The console refused the password');
  }

  async run(command: string): Promise<string> {
    await this.open();
    const socket = this.socket;
    if (socket === null) throw new NotSent('The connection is closed');
    const [id, end] = [this.nextId(), this.nextId()];
    let isProbed = false;
    const replies = this.collect(
      (packet) => {
        if (packet.id === id && !isProbed && this.options.mirrors) {
          isProbed = true;
          socket.write(encodePacket(end, REPLY, ''));
        }
        return packet.id === id || packet.id === end;
      },
      (packet) => packet.id === end,
    );
    socket.write(encodePacket(id, COMMAND, command));
    const packets = await replies.catch((error: unknown) => {
      // A late reply must not be taken for that of the next command.
      this.close();
      throw error;
    });
    return Buffer.concat(packets.filter((packet) => packet.id === id).map(({ body }) => body)).toString('utf8');
  }

  close(): void {
    this.socket?.destroy();
    this.socket = null;
  }

  private nextId(): number {
    this.lastId = (this.lastId % 1_000_000) + 1;
    return this.lastId;
  }

  private listen(socket: Socket): void {
    const read = packetReader();
    this.socket = socket;
    this.connections += 1;
    socket.on('data', (chunk: Buffer) => {
      const packets = read(chunk);
      if (packets === null) socket.destroy();
      for (const packet of packets ?? []) this.onPacket(packet);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      // A connection that was given up ends later, and says nothing about the next one.
      if (this.socket !== socket) return;
      this.socket = null;
      this.onEnd(new Unseen('The connection ended before the reply'));
    });
  }

  /** Collects packets until one ends the reply, or nothing more came for the quiet time. @throws Unseen without any */
  private collect(accepts: (packet: Packet) => boolean, ends: (packet: Packet) => boolean): Promise<Packet[]> {
    const { quietMs, replyMs, mirrors } = this.options;
    return new Promise((resolve, reject) => {
      const packets: Packet[] = [];
      let quiet: NodeJS.Timeout | undefined;
      const finish = (settle: () => void): void => {
        clearTimeout(limit);
        clearTimeout(quiet);
        this.onPacket = () => undefined;
        this.onEnd = () => undefined;
        settle();
      };
      const limit = setTimeout(() => {
        finish(() => {
          // An answer that began shows that the command ran.
          if (packets.length > 0) resolve(packets);
          else reject(new Unseen(`The console did not answer in ${replyMs} ms`));
        });
      }, replyMs);
      this.onEnd = (error) => {
        finish(() => {
          reject(error);
        });
      };
      this.onPacket = (packet) => {
        if (!accepts(packet)) return;
        packets.push(packet);
        clearTimeout(quiet);
        const done = (): void => {
          finish(() => {
            resolve(packets);
          });
        };
        if (ends(packet)) done();
        // Where a mirror is expected, it may take longer than the quiet time of a server without one.
        else quiet = setTimeout(done, mirrors ? 4 * quietMs : quietMs);
      };
    });
  }
}
