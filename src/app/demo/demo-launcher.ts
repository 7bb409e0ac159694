import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type INestApplicationContext, Logger } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../infrastructure/database/database-errors.js';
import { API_PREFIX } from '../../http/addresses/api-prefix.js';
import { PublicUrl } from '../../http/addresses/public-url.js';
import { describeError } from '../../infrastructure/logging/logger.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { AppConfig } from '../../infrastructure/config/app-config.js';
import { DEMO_NAME } from '../../shops/shops/demo-name.js';
import { ShopsService } from '../../shops/shops/shops.service.js';
import { UsersService } from '../../accounts/users/users.service.js';
import { DemoSeeder } from './demo-seed.js';
import { type Demo, type DemoSeed } from './demo.types.js';

/**
 * The seed script of the demo shop, run at a start outside production. It creates the shop in an empty database, and prints at
 * each start where to look first.
 */
export class DemoLauncher {
  private readonly logger = new Logger('Demo');
  private readonly config: AppConfig;
  private readonly demoFile: string;
  /** Keeps the secrets between starts, because the database has only their hashes. */
  private readonly seedFile: string;

  private readonly seeder: DemoSeeder;
  private readonly shops: ShopsService;
  private readonly users: UsersService;
  private readonly publicUrl: PublicUrl;

  constructor(app: INestApplicationContext) {
    this.seeder = new DemoSeeder(app);
    this.shops = app.get(ShopsService);
    this.users = app.get(UsersService);
    this.publicUrl = app.get(PublicUrl);
    this.config = app.get(AppConfig);
    const { dataDir } = this.config;
    this.demoFile = join(dataDir, 'demo.json');
    this.seedFile = join(dataDir, 'demo-seed.json');
  }

  /** Before the service listens: creates the demo shop in an empty database. Returns what `announce` needs, or null. */
  async prepare(): Promise<DemoSeed | null> {
    try {
      return await this.findOrMake();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      // The service starts without the demo, however slow the database is.
      say(`No demo shop: the database is too slow to make one. ${this.wayToOne()}`);
      return null;
    }
  }

  /** When the service listens: writes `demo.json`, and prints where to look first. */
  async announce(seed: DemoSeed): Promise<void> {
    try {
      const demo = await this.seeder.complete(seed, this.publicUrl.base());
      await writeWhole(this.demoFile, demo);
      for (const sentence of describe(demo, this.config, this.demoFile)) say(sentence);
    } catch (error) {
      // The service works without the demo, which may have been changed or deleted.
      this.logger.warn('The demo shop cannot be shown', describeError(error));
    }
  }

  private async findOrMake(): Promise<DemoSeed | null> {
    if ((await this.shops.isEmpty()) && (await this.users.isEmpty())) return this.make();
    const text = await this.storedDemo();
    const seed = text === null ? null : seedIn(text);
    // The data folder may contain the demo of another database than the one in MONGODB_URI.
    if (seed !== null && (await this.shops.exists(seed.shopId))) return seed;
    say(`No demo shop: the database has data, and ${this.seedFile} ${faultOf(text)}. ${this.wayToOne()}`);
    return null;
  }

  private async make(): Promise<DemoSeed> {
    const started = Date.now();
    const seed = await this.seeder.make(say);
    await writeWhole(this.seedFile, seed);
    say(`The demo shop is ready (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return seed;
  }

  /** Null: there is no file. */
  private async storedDemo(): Promise<string | null> {
    try {
      return await readFile(this.seedFile, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  private wayToOne(): string {
    const { mongodbUri, dataDir } = this.config;
    if (mongodbUri !== 'embedded') return 'An empty database gets a demo shop.';
    return `To get one, stop the service and delete the folder ${dataDir} with all its data.`;
  }
}

/** What is wrong with the file of the seed. @param text the content; null: there is no file */
function faultOf(text: string | null): string {
  if (text !== null) return 'is damaged or does not belong to it';
  return 'does not exist: the data is no demo, or the service was stopped while it made the demo';
}

/** Null: the content is damaged. The service works without the demo. */
function seedIn(text: string): DemoSeed | null {
  try {
    const seed = JSON.parse(text) as Partial<DemoSeed> | null;
    // `announce` needs no other field. The store rejects a string that is no id.
    return isObjectId(seed?.shopId) ? (seed as DemoSeed) : null;
  } catch {
    // The message of the error contains a part of the content, which has secrets.
    return null;
  }
}

/** Writes the file under another name first, so that nobody reads half of it. */
async function writeWhole(file: string, content: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.part`, file);
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

/** As far from `src/app/demo` as from `dist/app/demo`. */
const DOCS = join(import.meta.dirname, '../../../docs/');

/** The links of a first look. Credentials are in the file, and not on the screen. */
function describe({ baseUrl }: Demo, { mailServer, dataDir }: AppConfig, file: string): string[] {
  const mails = mailServer === 'files' ? [`Emails     ${pathToFileURL(join(dataDir, 'mail/')).href}`] : [];
  return [
    '',
    `Demo shop  ${baseUrl}/shops/${DEMO_NAME}/`,
    `Console    ${baseUrl}/console`,
    ...mails,
    `API pages  ${baseUrl}/${API_PREFIX}/docs`,
    `Docs       ${pathToFileURL(DOCS).href}`,
    '',
    `Passwords, keys and a curl line for each endpoint of the contract are in ${file}`,
  ];
}
