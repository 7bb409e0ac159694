import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Demo } from '../../src/app/demo/demo.types.js';
import { readProductVersion } from '../../src/infrastructure/version/product-version.js';
import { keyId } from '../../src/lib/crypto/encryption-keys.js';
import { Client } from '../support/client.js';
import { expectSuccess } from '../support/envelope.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { runShopCommand } from '../support/shop-command.js';
import { ServiceProcess } from '../support/service-process.js';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..', '..');
const DIST = join(ROOT, 'dist');

describe('The service, started as the README says', () => {
  let dataDir: string;
  const running: ServiceProcess[] = [];
  const start = (env?: Record<string, string>): ServiceProcess => {
    const service = ServiceProcess.start(dataDir, env);
    running.push(service);
    return service;
  };

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-start-'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((service) => service.stop('SIGKILL')));
    await rm(dataDir, { recursive: true, force: true });
  });

  describe('with its demo shop', () => {
    let folder: string;
    let service: ServiceProcess;
    let demo: Demo;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'shop-platform-demo-'));
      service = ServiceProcess.start(folder);
      demo = await service.demo();
    });
    afterAll(async () => {
      await service.stop('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    });

    async function expectCommandsWork(): Promise<void> {
      const { curl } = await service.demo();
      expect(curl).toHaveLength(9);
      for (const line of curl) {
        expect(service.output).not.toContain(line);
        const { stdout } = await run('sh', ['-c', `${line} -w '\\n%{http_code}'`]);
        const [body = '', status] = stdout.split('\n');
        expect({ line, status, body: JSON.parse(body) as unknown }).toEqual({
          line,
          status: '200',
          body: { success: true, data: expect.anything(), message: expect.any(String) },
        });
      }
    }

    it('fills the demo shop as the README says', async () => {
      const api = new Client(demo.baseUrl);
      const key = demo.keys.secret;
      const list = async (path: string): Promise<unknown[]> =>
        expectSuccess<unknown[]>(await api.get(`${path}/${demo.shopId}`, { key }));
      expect(await list('/servers')).toHaveLength(3);
      expect(await list('/products')).toHaveLength(7);
      expect(await list('/discounts')).toHaveLength(4);
      const server = await api.get(`/servers/public/${demo.serverId}/status`);
      // Its heartbeat may be too old for `online` on a slow machine.
      expect(expectSuccess(server)).toMatchObject({ version: 'Paper 1.21.4', lastSeenAt: expect.any(String) });
      const shop = expectSuccess<{ domain: object }>(await api.get(`/shops/${demo.shopId}`, { key }));
      expect(shop.domain).toMatchObject({ hostname: 'store.sky-realm.example', status: 'pending' });
      const stats = expectSuccess<{ metrics: Record<string, { current: number }> }>(
        await api.get(`/stats/${demo.shopId}/comparison?period=90d`, { key }),
      );
      expect(stats.metrics['orders']?.current).toBeGreaterThan(4_500);
      const [newest] = expectSuccess<{ id: string }[]>(
        await api.get(`/orders/${demo.shopId}?deliveryStatus=delivered&limit=1`, { key }),
      );
      const order = await api.get(`/orders/${demo.shopId}/${newest?.id ?? 'none'}`, { key });
      expect(expectSuccess(order)).toMatchObject({
        receivedPayments: [{ provider: 'custom' }],
        deliveries: expect.arrayContaining([expect.objectContaining({ state: 'delivered' })]),
      });
      const widget = async (path: string): Promise<unknown> =>
        expectSuccess<unknown>(await api.get(`/widgets/public/${demo.shopId}/${path}`));
      expect(await widget('recent-purchases')).toHaveLength(10);
      // Empty until the sales of the demo are folded.
      expect(await widget('top-buyers?period=all')).toBeInstanceOf(Array);
      expect(await widget('goal')).toMatchObject({ currency: 'EUR', percent: expect.any(Number) });
      expectSuccess(await api.post('/auth/login', { email: demo.support.email, password: demo.support.password }));
    });

    it('names its version and its commit when it listens, and logs no line about how the framework builds it', () => {
      const { version, commit } = readProductVersion();
      const listening = `"version":"${version}","commit":${JSON.stringify(commit)},"msg":"listening"`;
      expect(service.output).toContain(listening);
      expect(service.output).not.toMatch(/dependencies initialized|Mapped \{/);
    });

    it('lets only the owner of the folder read its secrets and its data', async () => {
      const listed = await readdir(folder, { recursive: true, withFileTypes: true });
      // An email that is being written has another name when it is complete.
      const entries = listed.filter(({ name }) => !name.endsWith('.part'));
      const names = entries.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['store', 'secrets.json', 'demo.json', 'demo-seed.json']));
      // A socket has other permissions, but the folder keeps other users out.
      for (const entry of entries.filter((one) => one.isFile() || one.isDirectory())) {
        const { mode } = await stat(join(entry.parentPath, entry.name));
        const { name } = entry;
        expect({ name, mode: mode & 0o777 }).toEqual({ name, mode: entry.isDirectory() ? 0o700 : 0o600 });
      }
    });

    // After the others: one of the commands removes the domain.
    it('prints nine commands that return 200 with the envelope', expectCommandsWork);

    it('keeps the demo shop and its commands when the service is killed and starts again', async () => {
      await service.stop('SIGKILL');
      service = ServiceProcess.start(folder);
      const second = await service.demo();
      expect({ shopId: second.shopId, keys: second.keys, owner: second.owner.password }).toEqual({
        shopId: demo.shopId,
        keys: demo.keys,
        owner: demo.owner.password,
      });
      const again = await new Client(second.baseUrl).get(`/products/${demo.shopId}`, { key: demo.keys.secret });
      expect(expectSuccess<unknown[]>(again)).toHaveLength(7);
      await expectCommandsWork();
      expect(await service.stop()).toBe(0);
    });

    it('starts without the demo when demo-seed.json is damaged, and shows nothing of it', async () => {
      const file = join(folder, 'demo-seed.json');
      const content = await readFile(file, 'utf8');
      await writeFile(file, content.slice(0, -2));
      service = ServiceProcess.start(folder);
      const api = new Client(await service.url());
      expectSuccess(await api.get('/health/ready'));
      expect(service.output).toContain(`No demo shop: the database has data, and ${file} is damaged`);
      expect(service.output).not.toContain(demo.owner.password);
      expect(await service.stop()).toBe(0);
    });

    it('names the lines of the source code when an unknown error stops it', async () => {
      const file = join(folder, 'demo-seed.json');
      await rm(file);
      await mkdir(file);
      service = ServiceProcess.start(folder);
      expect(await service.exitCode()).toBe(1);
      expect(service.output).toMatch(/Shop Platform did not start[^]*src\/app\/demo\/demo-launcher\.ts:\d+/);
    });
  });

  it('has the commit of its sources after a build, from git or from SOURCE_COMMIT, and none of a repository around them', async () => {
    const folder = join(dataDir, 'sources');
    const options = (env: Record<string, string> = {}) => ({ cwd: folder, env: { PATH: process.env['PATH'], ...env } });
    const git = (...args: string[]) =>
      run('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], options());
    const commitAfterBuild = async (env?: Record<string, string>): Promise<string | null> => {
      await run(process.execPath, [join(ROOT, 'scripts', 'build.js')], options(env));
      return readFile(join(folder, 'dist', 'commit'), 'utf8').catch(() => null);
    };
    // Nothing is to be compiled here: what was built is newer than all sources.
    const packages = ['embedded-mongodb', 'client', 'agent', 'console'].flatMap((name) => [
      `packages/${name}/src`,
      `packages/${name}/dist`,
    ]);
    for (const path of ['src/lib/formats', ...packages, 'templates/assets', 'dist']) {
      await mkdir(join(folder, path), { recursive: true });
    }
    const settings = ['packages/console/index.html', 'packages/console/vite.config.js'];
    const stamps = ['dist/.built', 'dist/.console-built', 'dist/console/index.html'];
    await mkdir(join(folder, 'dist', 'console'));
    for (const name of [
      '.swcrc',
      'nest-cli.json',
      'tsconfig.build.json',
      'package-lock.json',
      ...settings,
      ...stamps,
    ]) {
      await writeFile(join(folder, name), '');
    }
    const built = new Date(Date.now() + 60_000);
    for (const stamp of stamps) await utimes(join(folder, stamp), built, built);
    await run('git', ['init', '--quiet'], { cwd: dataDir });
    const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    await run('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'Another'], { cwd: dataDir });
    expect(await commitAfterBuild()).toBeNull();
    await git('init', '--quiet');
    await git('add', 'nest-cli.json');
    await git('commit', '--quiet', '--message', 'A commit');
    const head = (await git('rev-parse', 'HEAD')).stdout;
    expect(await commitAfterBuild()).toBe(head);
    await writeFile(join(folder, 'nest-cli.json'), '{}');
    await utimes(join(folder, 'nest-cli.json'), 0, 0);
    expect(await commitAfterBuild()).toBe(`${head.trim()}-dirty\n`);
    const given = 'ab'.repeat(20);
    expect(await commitAfterBuild({ SOURCE_COMMIT: given })).toBe(`${given}\n`);
    await expect(commitAfterBuild({ SOURCE_COMMIT: 'latest' })).rejects.toMatchObject({
      stderr: 'SOURCE_COMMIT must be the id of a commit: git rev-parse HEAD\n',
    });
    await rm(join(folder, '.git'), { recursive: true });
    expect(await commitAfterBuild()).toBeNull();
  });

  it('leaves an empty store empty with DEMO=false, and rejects a second process on its folder', async () => {
    const service = start({ DEMO: 'false' });
    const api = new Client(await service.url());
    const person = { email: 'new@example.com', password: 'correct horse battery', name: 'New' };
    const { accessToken } = expectSuccess<{ accessToken: string }>(await api.post('/auth/register', person));
    expect(expectSuccess<unknown[]>(await api.get('/shops', { token: accessToken }))).toEqual([]);
    expect(await readdir(dataDir)).not.toContain('demo.json');
    const second = start({ DEMO: 'false' });
    expect(await second.exitCode()).toBe(1);
    expect(second.output).toMatch(/Shop Platform did not start\. DATA_DIR: .* is in use by process \d+/);
    expectSuccess(await api.get('/health/ready'));
  });

  it('does not start without the secrets of its data, names the key to set, and starts when the key is given up', async () => {
    const env = { DEMO: 'false' };
    const file = join(dataDir, 'secrets.json');
    const keyIn = async (): Promise<string> => {
      const { encryptionKey } = JSON.parse(await readFile(file, 'utf8')) as { encryptionKey: string };
      return keyId(Buffer.from(encryptionKey, 'base64'));
    };
    const first = start(env);
    await first.url();
    const lost = await keyIn();
    expect(first.output).toMatch(/Created \d+ indexes in \d+ collections/);
    expect(await first.stop()).toBe(0);
    await rm(file);

    const refused = start(env);
    expect(await refused.exitCode()).toBe(1);
    const made = await keyIn();
    expect(refused.output.split('\n').filter((line) => !line.startsWith('{'))).toEqual([
      `Shop Platform did not start. ENCRYPTION_KEY has the id ${made}, but the stored data is encrypted with the key ${lost}: ` +
        `set that one as ENCRYPTION_KEY, or as ENCRYPTION_KEY_PREVIOUS to replace it (or restore ${file}, which had it); ` +
        'docs/handbook/encryption-key.md says what to do when it is lost',
      '',
    ]);

    const accepted = await runShopCommand(['accept-encryption-key'], { DATA_DIR: dataDir });
    expect(accepted).toEqual({ code: 0, stdout: expect.stringContaining(made), stderr: '' });
    const last = start(env);
    expectSuccess(await new Client(await last.url()).get('/health/ready'));
    // The key of a process that runs, or was killed just now, is not lost: another one is mistyped.
    const mistyped = { DATA_DIR: dataDir, ENCRYPTION_KEY: 'ab'.repeat(32) };
    const typedId = keyId(Buffer.from(mistyped.ENCRYPTION_KEY, 'hex'));
    const used = {
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(`encrypts with the key ${made}, so this key is not lost.*id ${typedId}`),
    };
    expect(await runShopCommand(['accept-encryption-key'], mistyped)).toEqual(used);
    await last.stop('SIGKILL');
    expect(await runShopCommand(['accept-encryption-key'], mistyped)).toEqual(used);
    // Every index exists: the line about them is left out.
    expect(last.output).not.toContain('indexes');
    const doctor = await runShopCommand(['doctor'], { DATA_DIR: dataDir });
    expect(doctor.stdout).toMatch(/^ok +database: the embedded store, which works like MongoDB \d/m);
  });

  it('says why there is no demo shop when it was killed while it made one, and works without it', async () => {
    const first = start();
    await eventually(() => Promise.resolve(/Making [\d,]+ orders/.test(first.output)));
    await first.stop('SIGKILL');
    const second = start();
    expectSuccess(await new Client(await second.url()).get('/health/ready'));
    const file = join(dataDir, 'demo-seed.json');
    expect(second.output).toContain(`No demo shop: the database has data, and ${file} does not exist`);
    expect(second.output).toContain(`delete the folder ${dataDir} with all its data`);
  });

  it('leaves nothing behind when the disk is full at its first start, and starts when there is space', async () => {
    // To a process that may write no file, each write fails as on a full disk.
    const command = ['-c', 'ulimit -f 0; exec "$0" "$1"', process.execPath, join(DIST, 'app', 'main.js')];
    const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDir, DEMO: 'false' };
    const reason = /^Shop Platform did not start\. DATA_DIR: .* cannot be the data folder: EFBIG[^\n]*\n$/;
    await expect(run('sh', command, { cwd: dataDir, env })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(reason),
    });
    expect(await readdir(dataDir)).toEqual([]);
    expectSuccess(await new Client(await start({ DEMO: 'false' }).url()).get('/health/ready'));
  });

  it('generates the secrets once, also when eight processes start at once', async () => {
    const script = `const { developmentSecrets } = await import(process.argv[1]);
      console.log(JSON.stringify(developmentSecrets(process.argv[2])));`;
    const folder = join(dataDir, 'new');
    const options = [
      '--input-type=module',
      '-e',
      script,
      join(DIST, 'infrastructure', 'config', 'development-secrets.js'),
      folder,
    ];
    const made = await Promise.all(Array.from({ length: 8 }, () => run(process.execPath, options)));
    expect(new Set(made.map(({ stdout }) => stdout)).size).toBe(1);
    expect(await readdir(folder)).toEqual(['secrets.json']);
  });

  it('stops in a folder that is a file, and names the variable', async () => {
    const file = join(dataDir, 'file');
    await writeFile(file, '');
    const service = start({ DATA_DIR: file });
    expect(await service.exitCode()).toBe(1);
    expect(service.output).toMatch(/^Shop Platform did not start\. DATA_DIR: .* cannot be the data folder: [^\n]*\n$/);
  });

  it.each(['PORT', 'METRICS_PORT'])('stops when the port of %s is in use, and names the variable', async (name) => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const service = start({ DEMO: 'false', [name]: String(port) });
    expect(await service.exitCode()).toBe(1);
    expect(service.output).toContain(`Shop Platform did not start. ${name}: ${port} is already in use\n`);
    other.close();
  });

  it('stops on an address that the machine does not have, and names it', async () => {
    const service = start({ DEMO: 'false', HOST: '203.0.113.1' });
    expect(await service.exitCode()).toBe(1);
    expect(service.output).toContain('Shop Platform did not start. HOST: this machine has no address 203.0.113.1');
  });

  describe('in production', () => {
    const sound = {
      NODE_ENV: 'production',
      MONGODB_URI: 'embedded',
      JWT_SECRET: 'k3yk3y-0123456789-0123456789-0123456789',
      ENCRYPTION_KEY: 'a1'.repeat(32),
      SMTP_URL: 'none',
      PUBLIC_URL: 'https://api.shop.example',
      PLATFORM_DOMAIN: 'shops.example',
      MAIL_FROM: 'no-reply@shop.example',
    };

    it.each([
      ['MONGODB_URI', { MONGODB_URI: '' }],
      ['JWT_SECRET', { JWT_SECRET: '' }],
      ['JWT_SECRET', { JWT_SECRET: 'change-me-change-me-change-me-change-me' }],
      ['JWT_SECRET', { JWT_SECRET: 'too-short' }],
      ['ENCRYPTION_KEY', { ENCRYPTION_KEY: '' }],
      ['ENCRYPTION_KEY', { ENCRYPTION_KEY: '0'.repeat(64) }],
      ['SMTP_URL', { SMTP_URL: '' }],
      ['PUBLIC_URL', { PUBLIC_URL: '' }],
      ['PLATFORM_DOMAIN', { PLATFORM_DOMAIN: 'shops.localhost' }],
      ['PORT', { PORT: 'eighty-eighty' }],
    ])('stops in production with a wrong %s, and does not show its value', async (name, wrong) => {
      const service = start({ ...sound, ...wrong });
      expect(await service.exitCode()).toBe(1);
      expect(service.output).toContain(name);
      for (const value of Object.values(wrong)) if (value !== '') expect(service.output).not.toContain(value);
      expect(await readdir(dataDir)).toEqual([]);
    });

    it('names the mistyped variable of .env beside the one that it misses', async () => {
      const { PUBLIC_URL, ...others } = sound;
      await writeFile(join(dataDir, '.env'), `PUBILC_URL=${PUBLIC_URL}\n`);
      const service = start(others);
      expect(await service.exitCode()).toBe(1);
      expect(service.output).toBe(
        [
          'Shop Platform did not start. These variables are wrong:',
          '  PUBLIC_URL is required in production: the address at which clients reach the service',
          '.env sets PUBILC_URL, which the service does not know: did you mean PUBLIC_URL?',
          '',
        ].join('\n'),
      );
    });

    it('names every wrong variable in one message', async () => {
      const service = start({ ...sound, PORT: 'x', JWT_SECRET: '', SMTP_URL: 'x', ENCRYPTION_KEY: 'x' });
      expect(await service.exitCode()).toBe(1);
      expect(service.output).toBe(
        [
          'Shop Platform did not start. These variables are wrong:',
          '  PORT must be a whole number from 0 to 65535',
          '  ENCRYPTION_KEY must be 32 bytes in hex or base64',
          '  SMTP_URL must be an smtp:// or smtps:// URL, or "none"',
          '  JWT_SECRET is required in production',
          '',
        ].join('\n'),
      );
    });

    it.each<[name: string, bytes: (text: string) => Buffer]>([
      ['UTF-8', (text) => Buffer.from(text)],
      ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
    ])(
      'reads the first variable of a .env in %s, and warns about a mistyped one without its value',
      async (_, bytes) => {
        const port = await freePort();
        const { NODE_ENV, ...others } = sound;
        const lines = Object.entries({ NODE_ENV, ...others, SMPT_URL: 'smtp://user:hunter2@mail', PORT: port });
        await writeFile(join(dataDir, '.env'), bytes(lines.map(([name, value]) => `${name}=${value}\n`).join('')));
        const service = start({ PORT: String(port) });
        expect(await service.url()).toBe('https://api.shop.example');
        expect(await readdir(dataDir)).not.toContain('secrets.json');
        // Without its first variable, it would start as in development.
        expect(service.output).not.toMatch(/demo shop|sets no known variable/);
        expect(service.output).toContain('.env sets SMPT_URL, which the service does not know: did you mean SMTP_URL?');
        expect(service.output).not.toContain('hunter2');
      },
    );

    it.each<[name: string, bytes: Buffer, reason: string]>([
      ['UTF-16', Buffer.from('\ufeffNODE_ENV=production\n', 'utf16le'), 'is in UTF-16: save it in UTF-8'],
      ['UTF-16 without a mark', Buffer.from('NODE_ENV=production\n', 'utf16le'), 'is in UTF-16: save it in UTF-8'],
      ['big-endian UTF-16', Buffer.from('\ufeffNODE_ENV=x\n', 'utf16le').swap16(), 'is in UTF-16: save it in UTF-8'],
      ['Latin-1', Buffer.from('# f\u00fcr uns\n', 'latin1'), 'is not in UTF-8: save it in UTF-8'],
    ])('stops with a .env in %s', async (_, bytes, reason) => {
      await writeFile(join(dataDir, '.env'), bytes);
      const service = start();
      expect(await service.exitCode()).toBe(1);
      expect(service.output).toBe(`Shop Platform did not start. ${join(dataDir, '.env')} ${reason}\n`);
    });

    it('generates neither a demo shop nor secrets in production', async () => {
      const port = await freePort();
      const service = start({ ...sound, PORT: String(port) });
      expect(await service.url()).toBe('https://api.shop.example');
      expectSuccess(await new Client(`http://127.0.0.1:${port}`).get('/health/ready'));
      expect((await readdir(dataDir)).sort()).toEqual(['store']);
      expect(await service.stop()).toBe(0);
    });
  });
});
