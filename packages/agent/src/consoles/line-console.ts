// Consoles without a protocol: a line goes in, and the log comes out. What a command printed is what came in the quiet time after it, mixed with
// everything else that the game writes.
import { randomBytes } from 'node:crypto';
import { type GameConsole, NotSent, type ReplyTimes, sleep, Unseen } from './console.js';

/** Where lines go in and come out. */
export interface LineChannel {
  /** The process or the session behind it; null: it does not run. */
  readonly session: string | null;
  /** Calls back with each line that comes out. */
  onLine(listener: (line: string) => void): void;
  open(): Promise<void>;
  /** @throws NotSent when the line certainly did not arrive */
  write(line: string): Promise<void>;
  close(): void;
}

export class LineConsole implements GameConsole {
  readonly isMixed = true;
  readonly confirms = true;
  private lines: string[] = [];
  private lastAt = 0;
  /** Whether a command had no reply: until a random word echoes, its late reply could be taken for that of the next one. */
  private isLate = false;

  constructor(
    private readonly channel: LineChannel,
    private readonly times: ReplyTimes,
  ) {
    channel.onLine((line) => {
      this.lines.push(line);
      this.lastAt = Date.now();
    });
  }

  get session(): string | null {
    return this.channel.session;
  }

  async open(): Promise<void> {
    await this.channel.open();
    if (this.isLate) await this.catchUp();
  }

  async run(command: string): Promise<string> {
    await this.open();
    const session = this.session;
    this.lines = [];
    const sentAt = Date.now();
    await this.channel.write(command);
    const { quietMs, replyMs } = this.times;
    for (;;) {
      await sleep(20);
      if (this.session !== session) throw new Unseen('The game server ended before the reply');
      const now = Date.now();
      if (this.lines.length > 0 && now - this.lastAt >= quietMs) return this.lines.join('\n');
      // A game that writes without a pause has answered by then, too.
      if (now - sentAt >= replyMs && this.lines.length > 0) return this.lines.join('\n');
      if (now - sentAt < replyMs) continue;
      this.isLate = true;
      throw new Unseen(`The console printed nothing in ${replyMs} ms`);
    }
  }

  close(): void {
    this.channel.close();
  }

  /** Waits until a random word echoes: everything before it has been run. @throws NotSent */
  private async catchUp(): Promise<void> {
    const word = `probe${randomBytes(6).toString('hex')}`;
    this.lines = [];
    await this.channel.write(word);
    const sentAt = Date.now();
    while (!this.lines.some((line) => line.includes(word))) {
      if (Date.now() - sentAt >= this.times.replyMs) throw new NotSent('The console does not answer');
      await sleep(20);
    }
    this.isLate = false;
  }
}
