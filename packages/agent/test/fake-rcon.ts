import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { encodePacket, packetReader } from '../src/consoles/source-rcon.js';

/** How a fake of a Source RCON server differs from the specification. */
export type RconMode =
  | 'source' // an empty packet before the verdict, mirrors empty packets, answers in parts
  | 'minecraft' // only the verdict, closes on two packets in one chunk
  | 'no-mirror' // ignores empty packets
  | 'silent' // runs, and never answers
  | 'dies' // ends the connection after it has run
  | 'bytes' // writes byte by byte
  | 'together'; // writes the parts of an answer in one chunk

const PART = 4_000;

/** A Source RCON server with players and their items. */
export class FakeRcon {
  readonly ran: string[] = [];
  logins = 0;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();

  constructor(
    public mode: RconMode,
    private readonly answer: (command: string) => string = (command) => `Ran ${command}`,
    private readonly password = 'sesame',
  ) {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      this.serve(socket);
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private serve(socket: Socket): void {
    const read = packetReader();
    let isKnown = false;
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const packets = read(chunk) ?? [];
      if (this.mode === 'minecraft' && packets.length > 1) return socket.destroy();
      for (const { id, type, body } of packets) {
        if (type === 3) {
          this.logins += 1;
          isKnown = body.toString() === this.password;
          // Both in one chunk, as servers send them.
          const empty = this.mode === 'minecraft' ? [] : [encodePacket(id, 0, '')];
          this.send(socket, [...empty, encodePacket(isKnown ? id : -1, 2, '')]);
        } else if (isKnown && type === 0) {
          if (this.mode === 'minecraft') this.send(socket, [encodePacket(id, 0, 'Unknown request 0')]);
          else if (this.mode !== 'no-mirror')
            this.send(socket, [encodePacket(id, 0, ''), encodePacket(id, 0, '\u0000\u0001\u0000\u0000')]);
        } else if (isKnown) {
          this.run(socket, id, body.toString());
        }
      }
      return undefined;
    });
  }

  private run(socket: Socket, id: number, command: string): void {
    this.ran.push(command);
    const text = this.answer(command);
    if (this.mode === 'dies') socket.destroy();
    if (this.mode === 'silent' || this.mode === 'dies') return;
    const parts: Buffer[] = [];
    for (let start = 0; start === 0 || start < text.length; start += PART)
      parts.push(encodePacket(id, 0, text.slice(start, start + PART)));
    // A packet that is no answer to this command comes between.
    this.send(socket, [encodePacket(4_000_000, 0, 'somebody joined'), ...parts]);
  }

  private send(socket: Socket, packets: readonly Buffer[]): void {
    if (this.mode === 'bytes') for (const byte of Buffer.concat(packets)) socket.write(Buffer.from([byte]));
    else if (this.mode === 'together') socket.write(Buffer.concat(packets));
    else for (const packet of packets) socket.write(packet);
  }
}
