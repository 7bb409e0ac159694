import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from './eventually.js';

/** A program that is not ours, with what it has written so far. What it starts ends with it. */
export class Program {
  private written = '';

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.written += chunk.toString()));
    }
  }

  static start(command: string, args: readonly string[], options: Pick<SpawnOptions, 'cwd' | 'env'>): Program {
    return new Program(spawn(command, args, { ...options, detached: true, stdio: 'pipe' }));
  }

  get text(): string {
    return this.written;
  }

  /** Waits until what it has written matches, after a position of the text. */
  async says(line: RegExp, from = 0): Promise<void> {
    await eventually(
      () => Promise.resolve(line.test(this.written.slice(from))),
      () => `${String(line)} in\n${this.written.slice(-4_000)}`,
    );
  }

  /** Writes to its standard input. */
  write(text: string): void {
    this.child.stdin?.write(text);
  }

  /** Waits until it has ended by itself, and all that it wrote is there. */
  async ends(): Promise<void> {
    await once(this.child, 'close');
  }

  /** Kills it and what it has started, also when it has ended by itself. */
  async kill(): Promise<void> {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined) return;
    const exit = exitCode === null && signalCode === null ? once(this.child, 'exit') : null;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch (error) {
      // Its group is empty.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await exit;
  }
}
