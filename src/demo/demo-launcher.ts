import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { PublicUrl } from '../common/http/public-url.js';
import { type AppConfig } from '../config/app-config.js';
import { ShopsService } from '../shops/shops.service.js';
import { DemoService } from './demo.service.js';
import { type Demo, type DemoSeed } from './demo.types.js';

/** What the launcher keeps between starts; secrets that the store itself has only as hashes. */
interface KeptDemo extends Demo {
  readonly seed: DemoSeed;
}

/**
 * Brings the demo shop up at a start: makes it when the store is empty, and each time prints what a newcomer needs. It says
 * so on standard output and not in the log, which never shows a credential.
 */
@Injectable()
export class DemoLauncher {
  private readonly enabled: boolean;
  private readonly file: string;

  constructor(
    private readonly demo: DemoService,
    private readonly shops: ShopsService,
    private readonly publicUrl: PublicUrl,
    config: ConfigService<AppConfig, true>,
  ) {
    this.enabled = config.get('demo', { infer: true });
    this.file = join(config.get('dataDir', { infer: true }), 'demo.json');
  }

  /** Before the service listens: makes the demo shop in an empty store. Returns what `announce` needs, or null. */
  async prepare(): Promise<DemoSeed | null> {
    if (!this.enabled) return null;
    if (!(await this.shops.isEmpty())) return (await this.kept())?.seed ?? null;
    const started = Date.now();
    const seed = await this.demo.make(say);
    say(`The demo shop is ready (${((Date.now() - started) / 1000).toFixed(1)} s)`);
    return seed;
  }

  /** When the service listens: writes `demo.json` and prints it, with lines to try. */
  async announce(seed: DemoSeed): Promise<void> {
    const demo = await this.demo.complete(seed, this.publicUrl.base());
    const kept: KeptDemo = { ...demo, seed };
    await mkdir(join(this.file, '..'), { recursive: true });
    // Renamed when complete: whoever waits for the file never reads half of it.
    await writeFile(`${this.file}.part`, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
    await rename(`${this.file}.part`, this.file);
    for (const sentence of describe(demo, this.file)) say(sentence);
  }

  private async kept(): Promise<KeptDemo | null> {
    try {
      return JSON.parse(await readFile(this.file, 'utf8')) as KeptDemo;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }
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
    `API docs    ${demo.baseUrl}/api/v2/docs`,
    '',
    'The nine endpoints of the contract, ready to paste:',
    '',
    ...demo.curl.flatMap((line, index) => [`# ${index + 1}`, line, '']),
    `All of this is in ${file}`,
  ];
}
