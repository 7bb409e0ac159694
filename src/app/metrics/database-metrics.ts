import { type mongo } from 'mongoose';
import { Gauge, Histogram, type Registry } from 'prom-client';

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Measures the commands that the driver sends, and its pool of connections. Commands are reported with `monitorCommands` only. */
export class DatabaseMetrics {
  private readonly commands: Histogram<'command' | 'result'>;
  private readonly inUse: Gauge;
  private readonly waiting: Gauge;

  constructor(client: mongo.MongoClient, registry: Registry) {
    const registers = [registry];
    this.commands = new Histogram({
      name: 'shop_platform_database_command_duration_seconds',
      help: 'Commands to the database, by name and result (ok, failed)',
      labelNames: ['command', 'result'],
      buckets: BUCKETS,
      registers,
    });
    this.inUse = new Gauge({
      name: 'shop_platform_database_connections_in_use',
      help: 'Connections of the pool that run a command or belong to a transaction',
      registers,
    });
    this.waiting = new Gauge({
      name: 'shop_platform_database_connections_waiting',
      help: 'Operations that wait for a connection of the pool',
      registers,
    });
    this.watch(client);
  }

  private watch(client: mongo.MongoClient): void {
    const end = (result: 'ok' | 'failed') => (event: { readonly commandName: string; readonly duration: number }) => {
      this.commands.observe({ command: event.commandName, result }, event.duration / 1000);
    };
    client.on('commandSucceeded', end('ok'));
    client.on('commandFailed', end('failed'));
    client.on('connectionCheckOutStarted', () => {
      this.waiting.inc();
    });
    client.on('connectionCheckOutFailed', () => {
      this.waiting.dec();
    });
    client.on('connectionCheckedOut', () => {
      this.waiting.dec();
      this.inUse.inc();
    });
    client.on('connectionCheckedIn', () => {
      this.inUse.dec();
    });
  }
}
