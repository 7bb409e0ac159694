// The standard input of a game server that the agent starts.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { NotSent } from './console.js';
import { type LineChannel } from './line-console.js';

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string | undefined;
  /** Where the process is remembered that the agent started, so that an agent that was killed never starts a second one. */
  readonly pidFile: string;
}

/** When a process started, as Linux counts it: another process with the same id has another time. null: it does not run. */
export function startOf(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else runs, too.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return null;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, in brackets, can have spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? '');
  } catch {
    return '';
  }
}

export class ChildChannel implements LineChannel {
  private child: ChildProcessWithoutNullStreams | null = null;
  private listener: (line: string) => void = () => undefined;

  constructor(private readonly options: ChildOptions) {}

  get session(): string | null {
    return this.child === null ? null : `process ${this.child.pid ?? 0}`;
  }

  onLine(listener: (line: string) => void): void {
    this.listener = listener;
  }

  open(): Promise<void> {
    if (this.child !== null) return Promise.resolve();
    const { command, args, cwd, pidFile } = this.options;
    if (existsSync(pidFile)) {
      const [pid = '', start = ''] = readFileSync(pidFile, 'utf8').trim().split(' ');
      if (startOf(Number(pid)) === start) {
        return Promise.reject(
          new NotSent(
            `The game server ${pid} of an earlier agent still runs: stop it, or use the way "fifo" or "tmux"`,
          ),
        );
      }
    }
    const child = spawn(command, [...args], { cwd, stdio: 'pipe' });
    return new Promise((resolve, reject) => {
      child.once('error', (error) => {
        this.child = null;
        reject(new NotSent(`${command} does not start: ${error.message}`));
      });
      child.once('spawn', () => {
        this.child = child;
        const pid = child.pid ?? 0;
        writeFileSync(pidFile, `${pid} ${startOf(pid) ?? ''}\n`);
        child.stdin.on('error', () => undefined);
        child.stderr.resume();
        createInterface({ input: child.stdout }).on('line', (line) => {
          this.listener(line);
        });
        resolve();
      });
      child.once('exit', () => {
        if (this.child !== child) return;
        this.child = null;
        rmSync(pidFile, { force: true });
      });
    });
  }

  write(line: string): Promise<void> {
    if (this.child === null) return Promise.reject(new NotSent('The game server does not run'));
    this.child.stdin.write(`${line}\n`);
    return Promise.resolve();
  }

  /** Leaves the game server alone: it runs on without the agent. */
  close(): void {
    this.child?.unref();
  }
}
