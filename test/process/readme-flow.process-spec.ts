import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pages, read } from '../contract/pages.js';
import { ServiceProcess } from '../support/service-process.js';

const run = promisify(execFile);

/** The pages with lines to paste, in the order in which a newcomer reads them. */
const WALK = ['README.md', 'docs/your-own-shop.md'];
const ROOT = join(import.meta.dirname, '..', '..');
const CURL = /\bcurl -/g;

/** The shell lines of a page that contain curl. */
async function linesOf(page: string): Promise<string> {
  const blocks = [...(await read(page)).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  return blocks.filter((block) => block.match(CURL) !== null).join('\n');
}

/** Wraps curl in a script that also writes the status of each response to a file. */
async function notingCurl(folder: string, log: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const { stdout: real } = await run('sh', ['-c', 'command -v curl']);
  const script = `#!/bin/sh\n'${real.trim()}' -w '%{stderr}%{http_code} %{method} %{url}\n' "$@" 2>>'${log}'\n`;
  await writeFile(join(bin, 'curl'), script);
  await chmod(join(bin, 'curl'), 0o755);
  return bin;
}

describe('The curl lines of the documentation', () => {
  let folder: string;
  let service: ServiceProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shop-platform-readme-'));
    await mkdir(join(folder, 'data'));
    await symlink(join(ROOT, 'examples'), join(folder, 'examples'));
    service = ServiceProcess.start(join(folder, 'data'));
    await service.demo();
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the lines that the running service has printed. */
  async function statusesOfNineLines(): Promise<string[]> {
    const statuses: string[] = [];
    for (const line of (await service.demo()).curl) {
      const { stdout } = await run('sh', ['-c', `${line} -o /dev/null -w '%{http_code}'`]);
      statuses.push(stdout);
    }
    return statuses;
  }

  it('are all on the pages that this spec runs', async () => {
    const others = (await pages()).filter((page) => !WALK.includes(page));
    const withCurl = await Promise.all(others.map(async (page) => ((await linesOf(page)) === '' ? [] : [page])));
    expect(withCurl.flat()).toEqual([]);
  });

  it('return 200, each of them, when a newcomer pastes them one after the other into one shell', async () => {
    const log = join(folder, 'statuses.log');
    const bin = await notingCurl(folder, log);
    const script = (await Promise.all(WALK.map(linesOf))).join('\n');
    const asked = script.match(CURL)?.length ?? 0;
    expect(asked).toBeGreaterThan(20);
    const env = { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter) };
    await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env });
    const statuses = (await readFile(log, 'utf8')).trim().split('\n');
    expect(statuses.filter((line) => !line.startsWith('200 '))).toEqual([]);
    expect(statuses).toHaveLength(asked);
    // The order is delivered: its command, and no other, is in the console of the game server.
    expect(await readFile(join(folder, 'data', 'console.log'), 'utf8')).toMatch(/^lp user \w+ parent add vip\n$/);
  });

  it('do not break the nine lines that the service prints, at this start and at the next one', async () => {
    expect(await statusesOfNineLines()).toEqual(Array(9).fill('200'));
    await service.stop();
    service = ServiceProcess.start(join(folder, 'data'));
    expect(await statusesOfNineLines()).toEqual(Array(9).fill('200'));
  });
});
