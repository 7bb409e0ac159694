import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SECRETS, type TestApp } from './test-app.js';

/** The compiled command line. */
export const SHOP_SCRIPT = join(import.meta.dirname, '..', '..', 'dist', 'app', 'cli.js');

/** What a command wrote, and its exit code. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of an application, for commands of its operator. The port of metrics is taken, as beside a service that runs. */
export function operatorEnvironment(
  { baseUrl, dataDir, databaseUri }: Pick<TestApp, 'baseUrl' | 'dataDir' | 'databaseUri'>,
  env: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const database = { DATA_DIR: dataDir, MONGODB_URI: databaseUri, ENCRYPTION_KEY: SECRETS.ENCRYPTION_KEY };
  const { port: METRICS_PORT } = new URL(baseUrl);
  return { NODE_ENV: 'test', TIME_LIMIT_FACTOR: '30', METRICS_PORT, ...database, ...env };
}

/** Starts the compiled command line, as `npm run shop -- ...` does, with only the given environment. */
export function startShopCommand(args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [SHOP_SCRIPT, ...args], {
    cwd: env['DATA_DIR'],
    env: { PATH: process.env['PATH'], ...env },
    stdio: 'pipe',
  });
}

/** Runs the compiled command line until it ends. @param input what it can read from standard input */
export async function runShopCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<CommandResult> {
  const child = startShopCommand(args, env);
  child.stdin?.end(input);
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Runs the compiled command line with the embedded store in a folder, which it makes, or with the database of the environment. */
export async function runShopCommandIn(
  dataDir: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = SECRETS,
): Promise<CommandResult> {
  await mkdir(dataDir, { recursive: true });
  return runShopCommand(args, { NODE_ENV: 'test', DATA_DIR: dataDir, ...env });
}
