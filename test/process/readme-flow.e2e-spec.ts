import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceProcess } from '../support/service-process.js';

const run = promisify(execFile);
const README = join(import.meta.dirname, '..', '..', 'README.md');
const TOOLS = ['curl', 'jq'];
const missing = TOOLS.filter((tool) => spawnSync(tool, ['--version']).error !== undefined);

/** The shell lines of a section of the README. */
async function linesOf(title: string): Promise<string> {
  const text = await readFile(README, 'utf8');
  const section = text.slice(text.indexOf(`## ${title}\n`));
  return /```sh\n(.*?)```/s.exec(section)?.[1] ?? '';
}

/** A curl in front of the real one, which also notes the status of each answer. */
async function notingCurl(folder: string, log: string): Promise<string> {
  const bin = join(folder, 'bin');
  await mkdir(bin);
  const { stdout: real } = await run('sh', ['-c', 'command -v curl']);
  const script = `#!/bin/sh\n'${real.trim()}' -w '%{stderr}%{http_code} %{method} %{url}\n' "$@" 2>>'${log}'\n`;
  await writeFile(join(bin, 'curl'), script);
  await chmod(join(bin, 'curl'), 0o755);
  return bin;
}

describe('The lines of the README', () => {
  let folder: string;
  let service: ServiceProcess;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shop-platform-readme-'));
    await mkdir(join(folder, 'data'));
    service = ServiceProcess.start(join(folder, 'data'));
    await service.demo();
  });
  afterAll(async () => {
    await service.stop('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  });

  if (missing.length > 0) {
    it(`are not tried here, where ${missing.join(' and ')} cannot be run`, () => {
      process.stderr.write(`README lines left out: there is no ${missing.join(' and no ')}\n`);
      expect(missing).not.toEqual([]);
    });
  } else {
    it('work one after the other in one shell, as a newcomer pastes them: every answer is a 200', async () => {
      const log = join(folder, 'statuses.log');
      const bin = await notingCurl(folder, log);
      const script = `${await linesOf('The first five minutes')}\n${await linesOf('A shop of your own')}`;
      const asked = script.match(/\bcurl -s/g)?.length ?? 0;
      expect(asked).toBeGreaterThan(20);
      const env = { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` };
      await run('bash', ['-euc', script.replaceAll('/tmp/', `${folder}/`)], { cwd: folder, env });
      const answers = (await readFile(log, 'utf8')).trim().split('\n');
      // The payment's line comes from demo.json, through `sh`.
      expect(answers).toHaveLength(asked + 1);
      expect(answers.filter((answer) => !answer.startsWith('200 '))).toEqual([]);
    });
  }
});
