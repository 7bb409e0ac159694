import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type INestApplicationContext } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError } from '../../domain/errors/app-error.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { SHOP } from '../../../test/support/contexts.js';
import { DemoLauncher } from './demo-launcher.js';

describe('The demo of a database that has data', () => {
  let dataDir: string;
  let seedFile: string;
  let said: string[];
  /** The ids of the shops that were looked for. */
  let queried: string[];
  let isTooSlow: boolean;

  /** What the launcher returns when `SHOP` is the only shop. */
  const prepare = (mongodbUri = 'embedded'): Promise<unknown> => {
    const services = new Map<unknown, object>([
      [AppConfig, { dataDir, mongodbUri }],
      [UsersService, { isEmpty: () => Promise.resolve(false) }],
      [
        ShopsService,
        {
          isEmpty: () => (isTooSlow ? Promise.reject(new AppError('service_unavailable')) : Promise.resolve(false)),
          exists: (id: string) => Promise.resolve(queried.push(id) > 0 && id === SHOP),
        },
      ],
    ]);
    const app = { get: (token: unknown) => services.get(token) ?? {} } as INestApplicationContext;
    return new DemoLauncher(app).prepare();
  };

  beforeEach(async () => {
    [said, queried] = [[], []];
    isTooSlow = false;
    dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-demo-'));
    seedFile = join(dataDir, 'demo-seed.json');
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(dataDir, { recursive: true, force: true });
  });

  it('uses the demo of the file, if its shop exists', async () => {
    await writeFile(seedFile, JSON.stringify({ shopId: SHOP, currency: 'EUR' }));
    expect(await prepare()).toEqual({ shopId: SHOP, currency: 'EUR' });
    expect(said).toEqual([]);
  });

  it('finds no demo without the file: the message says what may have happened, and how to get a demo', async () => {
    expect(await prepare()).toBeNull();
    const what = `No demo shop: the database has data, and ${seedFile} does not exist: the data is no demo, or the service was stopped while it made the demo.`;
    expect(said).toEqual([
      `${what} To get one, stop the service and delete the folder ${dataDir} with all its data.\n`,
    ]);
    said = [];
    expect(await prepare('mongodb://db.example/shop')).toBeNull();
    expect(said).toEqual([`${what} An empty database gets a demo shop.\n`]);
  });

  it.each(['', '{', 'null', '[]', '"text"', '{}', '{"shopId":"x"}', '{"shopId":7}', '{"shopId":{"$ne":null}}'])(
    'finds no demo when the file is damaged (%s), and does not query the store',
    async (text) => {
      await writeFile(seedFile, text);
      expect(await prepare()).toBeNull();
      expect(said).toHaveLength(1);
      expect(said[0]).toContain(`${seedFile} is damaged or does not belong to it. To get one, stop`);
      expect(queried).toEqual([]);
    },
  );

  it('finds no demo when the shop of the file does not exist', async () => {
    await writeFile(seedFile, JSON.stringify({ shopId: SHOP.replace(/^./, '0') }));
    expect(await prepare()).toBeNull();
    expect(said[0]).toContain(`${seedFile} is damaged or does not belong to it.`);
  });

  it('finds no demo when the database is too slow, and the start goes on', async () => {
    isTooSlow = true;
    expect(await prepare('mongodb://db.example/shop')).toBeNull();
    expect(said).toEqual(['No demo shop: the database is too slow to make one. An empty database gets a demo shop.\n']);
  });
});
