import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type DatabaseGate, databaseGate } from '../payments/database-gate.js';
import { Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { inDatabase } from '../support/in-database.js';
import { ServiceProcess } from '../support/service-process.js';
import { testDatabaseUri } from '../support/test-database.js';

/** In each direction, as between two continents. */
const DELAY_MS = 100;

// The time limits are those of production. The other process specs multiply them, which would hide a start that is too slow.
describe('A start with the time limits of production', () => {
  let dataDir: string;
  let databaseUri: string;
  let gate: DatabaseGate;
  let service: ServiceProcess;
  const start = (): ServiceProcess =>
    ServiceProcess.start(dataDir, { MONGODB_URI: gate.uri, DEMO: 'false', TIME_LIMIT_FACTOR: '1' });

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-slow-'));
    databaseUri = testDatabaseUri();
    gate = await databaseGate(databaseUri, { delayMs: DELAY_MS });
  });
  afterEach(async () => {
    await service.stop('SIGKILL');
    await gate.close();
    await rm(dataDir, { recursive: true, force: true });
    await inDatabase({ databaseUri }, (db) => db.dropDatabase());
  });

  it('creates all indexes of an empty database that is far away, and serves requests', async () => {
    service = start();
    expectSuccess(await new Client(await service.url()).get('/health/ready'));
    const indexes = await inDatabase({ databaseUri }, (db) => db.collection('users').indexes());
    expect(indexes.length).toBeGreaterThan(1);
  });

  it('names the host and the reason while the database cannot be reached, and starts when it can', async () => {
    gate.shut();
    service = start();
    const line = await eventually(() => Promise.resolve(/^.*Unable to connect.*$/m.exec(service.output)?.[0]));
    const { host } = new URL(gate.uri);
    expect((JSON.parse(line) as { msg: string }).msg).toContain(`MONGODB_URI: ${host} cannot be reached (`);
    gate.open();
    expectSuccess(await new Client(await service.url()).get('/health/ready'));
    expect(service.output).not.toContain('    at ');
  });
});
