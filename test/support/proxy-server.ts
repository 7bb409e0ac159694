import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { settled } from './eventually.js';

/** A real reverse proxy on loopback, in front of two processes, with a folder of its own. */
export abstract class ProxyServer {
  protected constructor(
    protected readonly child: ChildProcess,
    protected readonly folder: string,
    readonly httpPort: number,
    readonly httpsPort: number,
  ) {}

  /** The certificate of the authority that has signed its certificates. */
  abstract ca(): Promise<string>;

  /** Its log so far. */
  abstract log(): Promise<string>;

  abstract close(): Promise<void>;

  /** Ends it with a signal, and removes its folder. */
  protected async end(signal: NodeJS.Signals): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill(signal);
    await settled(exit, 'the exit of the proxy');
    await rm(this.folder, { recursive: true, force: true });
  }
}
