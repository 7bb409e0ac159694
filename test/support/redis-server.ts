import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Redis } from 'ioredis';
import { eventually, settled } from './eventually.js';
import { freePort } from './free-port.js';

/** A real Redis on loopback that can be stopped and started again. */
export class RedisServer {
  private child: ChildProcess | null = null;

  private constructor(readonly port: number) {}

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.up();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async up(): Promise<void> {
    const options = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    this.child = spawn('redis-server', options, { stdio: 'ignore' });
    await eventually(() => this.responds());
  }

  async down(): Promise<void> {
    const { child } = this;
    this.child = null;
    if (child === null) return;
    child.kill('SIGKILL');
    await settled(once(child, 'exit'), 'the exit of redis-server');
  }

  /** From now on Redis rejects every write, as one that is full and deletes nothing does. */
  fill(): Promise<void> {
    return this.configure('1');
  }

  /** Ends `fill`. */
  empty(): Promise<void> {
    return this.configure('0');
  }

  /** @param maxmemory in bytes; 0: no limit. The policy without a setting is `noeviction` */
  private async configure(maxmemory: string): Promise<void> {
    const redis = new Redis(this.url);
    await redis.config('SET', 'maxmemory', maxmemory);
    redis.disconnect();
  }

  private responds(): Promise<boolean> {
    return new Promise((resolve) => {
      const socket = connect(this.port, '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
  }
}
