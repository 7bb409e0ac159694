import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { API_PREFIX } from '../common/http/api-prefix.js';
import { PublicUrl } from '../common/http/public-url.js';
import { describeError } from '../common/logging/logger.js';
import { AppConfig } from '../config/app-config.js';
import { ShopsService } from '../shops/shops.service.js';
import { UsersService } from '../users/users.service.js';
import { DemoService } from './demo.service.js';
import { type Demo, type DemoSeed } from './demo.types.js';

/**
 * Brings the demo shop up at a start: makes it when the store is empty, and each time prints what a newcomer needs. It says
 * so on standard output and not in the log, which never shows a credential.
 */
@Injectable()
export class DemoLauncher {
  private readonly logger = new Logger('Demo');
  private readonly enabled: boolean;
  private readonly demoFile: string;
  /** What is kept between starts: secrets that the store itself has only as hashes. */
  private readonly seedFile: string;

  constructor(
    private readonly demo: DemoService,
    private readonly shops: ShopsService,
    private readonly users: UsersService,
    private readonly publicUrl: PublicUrl,
    config: AppConfig,
  ) {
    this.enabled = config.demo;
    const dataDir = config.dataDir;
    this.demoFile = join(dataDir, 'demo.json');
    this.seedFile = join(dataDir, 'demo-seed.json');
  }

  /** Before the service listens: makes the demo shop in an empty store. Returns what `announce` needs, or null. */
  async prepare(): Promise<DemoSeed | null> {
    if (!this.enabled) return null;
    if ((await this.shops.isEmpty()) && (await this.users.isEmpty())) return this.make();
    const seed = await this.kept();
    // A folder may hold the demo of another store than the one that MONGODB_URI names.
    if (seed !== null && (await this.shops.exists(seed.shopId))) return seed;
    say(`No demo shop: the store has data, but ${this.seedFile} is not of it. An empty store gets a demo shop.`);
    return null;
  }

  /** When the service listens: writes `demo.json` and prints it, with lines to try. */
  async announce(seed: DemoSeed): Promise<void> {
    try {
      const demo = await this.demo.complete(seed, this.publicUrl.base());
      await writeWhole(this.demoFile, demo);
      for (const sentence of describe(demo, this.demoFile)) say(sentence);
    } catch (error) {
      // The service runs; a demo that somebody took apart is no reason to stop it.
      this.logger.warn('The demo shop cannot be shown', describeError(error));
    }
  }

  private async make(): Promise<DemoSeed> {
    const started = Date.now();
    const seed = await this.demo.make(say);
    await writeWhole(this.seedFile, seed);
    say(`The demo shop is ready (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return seed;
  }

  private async kept(): Promise<DemoSeed | null> {
    try {
      return JSON.parse(await readFile(this.seedFile, 'utf8')) as DemoSeed;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
}

/** Renamed when complete: whoever waits for the file never reads half of it. */
async function writeWhole(file: string, content: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(`${file}.part`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.part`, file);
}

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

function describe(demo: Demo, file: string): string[] {
  return [
    '',
    `Demo shop   ${demo.shopId} at ${demo.baseUrl}`,
    `Owner       ${demo.owner.email} / ${demo.owner.password}`,
    `Support     ${demo.support.email} / ${demo.support.password}`,
    `Secret key  ${demo.keys.secret}`,
    `Plugin key  ${demo.keys.plugin}`,
    `API docs    ${demo.baseUrl}/${API_PREFIX}/docs`,
    '',
    'The nine endpoints of the contract, ready to paste (the code of 5 works once a start):',
    '',
    ...demo.curl.flatMap((line, index) => [`# ${index + 1}`, line, '']),
    `All of this is in ${file}`,
  ];
}
