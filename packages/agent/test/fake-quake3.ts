import { createSocket, type Socket } from 'node:dgram';

const HEADER = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/** A server with the remote console of Quake 3. It answers `burst` commands, and drops the others without a word. */
export class FakeQuake3 {
  readonly ran: string[] = [];
  isSilent = false;
  private readonly socket: Socket = createSocket('udp4');

  constructor(
    private readonly answers: (command: string) => readonly string[] = (command) => [`Ran ${command}\n`],
    private burst = Infinity,
  ) {
    this.socket.on('message', (message, from) => {
      const [, password, ...words] = message.subarray(HEADER.length).toString('utf8').split(' ');
      if (this.burst <= 0) return;
      this.burst -= 1;
      const command = words.join(' ');
      const isKnown = password === 'sesame';
      if (isKnown) this.ran.push(command);
      if (this.isSilent) return;
      for (const text of isKnown ? this.answers(command) : ['Bad rconpassword.\n']) {
        this.socket.send(Buffer.concat([HEADER, Buffer.from(`print\n${text}`)]), from.port, from.address);
      }
    });
  }

  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.socket.bind(0, '127.0.0.1', resolve));
    return this.socket.address().port;
  }

  close(): void {
    this.socket.close();
  }
}
