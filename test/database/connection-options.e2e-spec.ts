import { type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { getConnectionToken } from '@nestjs/mongoose';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Connection, type Model, Schema } from 'mongoose';
import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { AppConfigModule } from '../../src/infrastructure/config/config.module.js';
import { DatabaseModule } from '../../src/infrastructure/database/database.module.js';
import { Transactions } from '../../src/infrastructure/database/transactions.js';
import { testDatabaseUri } from '../support/test-database.js';

interface Sample {
  readonly value: number;
}
type Command = Readonly<Record<string, unknown>>;

/** Multiplies each time limit. */
const FACTOR = 30;
const DURABLE = { w: 'majority', j: true };
const READ = { maxTimeMS: 2_000 * FACTOR, readConcern: { level: 'majority' } };
const WRITE = { maxTimeMS: 5_000 * FACTOR, writeConcern: DURABLE };

let app: INestApplicationContext;
let connection: Connection;
let samples: Model<Sample>;
const commands: Command[] = [];

beforeAll(async () => {
  const database = { uri: testDatabaseUri(), timeLimitFactor: FACTOR, monitorCommands: true, migrates: false };
  const config = AppConfigModule.forRoot({ timeLimitFactor: FACTOR } as AppConfig);
  const module = { ...config, imports: [DatabaseModule.forRoot(database)] };
  app = await NestFactory.createApplicationContext(module, { logger: false });
  connection = app.get<Connection>(getConnectionToken());
  samples = connection.model<Sample>('Sample', new Schema<Sample>({ value: Number }));
  await samples.createCollection();
  connection.getClient().on('commandStarted', ({ command }) => commands.push(command as Command));
});
afterAll(async () => {
  await connection.dropDatabase();
  await app.close();
});

/** The commands that work sends. */
async function commandsOf(work: () => Promise<unknown>): Promise<Command[]> {
  commands.length = 0;
  await work();
  return [...commands];
}

it('limits the connections and each wait for the database', () => {
  expect(connection.getClient().options).toMatchObject({
    maxPoolSize: 50,
    waitQueueTimeoutMS: 1_000 * FACTOR,
    serverSelectionTimeoutMS: 5_000 * FACTOR,
    connectTimeoutMS: 5_000 * FACTOR,
    heartbeatFrequencyMS: 1_000,
    socketTimeoutMS: 20_000 * FACTOR,
    retryWrites: true,
    readPreference: { mode: 'primary' },
  });
  const { autoIndex, autoCreate, bufferCommands } = connection.config;
  expect({ autoIndex, autoCreate, bufferCommands }).toEqual({
    autoIndex: false,
    autoCreate: false,
    bufferCommands: false,
  });
});

describe('A command outside of a transaction', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['find', () => samples.find().lean()],
    ['findOne', () => samples.findOne().lean()],
    ['countDocuments', () => samples.countDocuments()],
    ['distinct', () => samples.distinct('value')],
    ['aggregate', () => samples.aggregate([{ $match: { value: 1 } }])],
  ])('reads with %s what a majority has, within two seconds', async (_, work) => {
    expect(await commandsOf(work)).toMatchObject([READ]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['updateOne', () => samples.updateOne({ value: 1 }, { value: 2 })],
    ['updateMany', () => samples.updateMany({ value: 1 }, { value: 2 })],
    ['findOneAndUpdate', () => samples.findOneAndUpdate({ value: 1 }, { value: 2 })],
    ['findOneAndDelete', () => samples.findOneAndDelete({ value: 1 })],
    ['deleteOne', () => samples.deleteOne({ value: 1 })],
    ['deleteMany', () => samples.deleteMany({ value: 1 })],
  ])('writes with %s to the disks of a majority, within five seconds', async (_, work) => {
    expect(await commandsOf(work)).toMatchObject([WRITE]);
  });

  it('inserts to the disks of a majority, and can be repeated', async () => {
    const [insert] = await commandsOf(() => samples.insertMany([{ value: 1 }]));
    expect(insert).toMatchObject({ writeConcern: DURABLE, txnNumber: expect.anything() });
  });
});

it('reads a snapshot in a transaction, and commits it to a majority within two seconds', async () => {
  const sent = await commandsOf(() =>
    app.get(Transactions).run(async (session) => {
      await samples.findOne().session(session).lean();
      await samples.insertMany([{ value: 3 }], { session });
    }),
  );
  expect(sent).toMatchObject([
    { startTransaction: true, readConcern: { level: 'snapshot' }, maxTimeMS: READ.maxTimeMS },
    { insert: 'samples' },
    { commitTransaction: 1, writeConcern: { w: 'majority' }, maxTimeMS: 2_000 * FACTOR },
  ]);
});

it('rejects an operator, an unknown field and an unknown filter from a client', async () => {
  const operator = { value: { $gt: 0 } };
  await samples.insertMany([{ value: 5 }]);
  await expect(samples.findOne(operator).lean()).rejects.toMatchObject({ name: 'CastError' });
  await expect(samples.findOne({ other: 1 } as object).lean()).rejects.toMatchObject({ name: 'StrictModeError' });
  await expect(samples.updateOne({ value: 5 }, { other: 1 })).rejects.toMatchObject({
    name: 'StrictModeError',
  });
});
