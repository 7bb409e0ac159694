import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Demo } from '../../src/app/demo/demo.types.js';
import { eventually, settled } from './eventually.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** Runs the service as an operator does. */
export class ServiceProcess {
  private text = '';

  private constructor(
    private readonly child: ChildProcess,
    private readonly dataDir: string,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
  }

  /**
   * Starts the service on a free port, with only the given environment.
   * @param log the file descriptor of its log; otherwise `output` has it
   */
  static start(dataDir: string, env: Readonly<Record<string, string>> = {}, log?: number): ServiceProcess {
    const child = spawn(process.execPath, [join(ROOT, 'dist', 'app', 'main.js')], {
      cwd: dataDir,
      env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, TIME_LIMIT_FACTOR: '30', ...env },
      stdio: ['ignore', log ?? 'pipe', 'pipe'],
    });
    return new ServiceProcess(child, dataDir);
  }

  /** Everything that it has written so far. */
  get output(): string {
    return this.text;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  /** The address, as soon as it listens. */
  async url(): Promise<string> {
    return eventually(
      () => {
        if (this.child.exitCode !== null) throw new Error(`The service ended:\n${this.text}`);
        return Promise.resolve(/"url":"([^"]+)"/.exec(this.text)?.[1]);
      },
      () => this.text,
    );
  }

  /** The content of `demo.json`, as soon as this start has written it. */
  async demo(): Promise<Demo> {
    await this.url();
    await eventually(
      () => Promise.resolve(this.text.includes('of the contract are in')),
      () => this.text,
    );
    return JSON.parse(await readFile(join(this.dataDir, 'demo.json'), 'utf8')) as Demo;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal and returns the exit code; null when the signal ended it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.signal(signal);
    return this.exitCode();
  }

  async exitCode(): Promise<number | null> {
    if (!this.hasEnded) {
      await settled(once(this.child, 'exit'), 'the exit of the service', () => this.text);
    }
    return this.child.exitCode;
  }
}
