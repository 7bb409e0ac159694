import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './redis-server.js';

const CERTIFICATE = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=api.example.com'];

/** A real nginx on loopback with the configuration of ops/nginx: only its ports, certificate and logs are others. */
export class NginxServer {
  private constructor(
    private readonly child: ChildProcess,
    private readonly folder: string,
    readonly httpPort: number,
    readonly httpsPort: number,
  ) {}

  /** @param upstreams the ports of the two processes */
  static async start(upstreams: readonly [number, number]): Promise<NginxServer> {
    const folder = await mkdtemp(join(tmpdir(), 'shop-platform-nginx-'));
    const [http, https] = [await freePort(), await freePort()];
    const key = ['-keyout', join(folder, 'api.example.com.key'), '-out', join(folder, 'api.example.com.pem')];
    execFileSync('openssl', [...CERTIFICATE, ...key], { stdio: 'ignore' });
    const example = await readFile(join(import.meta.dirname, '../../ops/nginx/shop-platform.conf'), 'utf8');
    const own = example
      .replaceAll(/listen \[::\]:.*\n/g, '')
      .replace('listen 80;', `listen 127.0.0.1:${http};`)
      .replace('listen 443 ', `listen 127.0.0.1:${https} `)
      .replace('127.0.0.1:3001', `127.0.0.1:${upstreams[0]}`)
      .replace('127.0.0.1:3002', `127.0.0.1:${upstreams[1]}`)
      .replaceAll('/etc/ssl/shop-platform/', `${folder}/`)
      .replaceAll('/var/log/nginx/', `${folder}/`);
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const main = `daemon off; pid ${folder}/pid; error_log ${folder}/main.log; events {} http { ${paths.join(' ')}\n${own}\n}`;
    await writeFile(join(folder, 'nginx.conf'), main);
    const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'inherit' });
    const server = new NginxServer(child, folder, http, https);
    await eventually(async () => fetch(`http://127.0.0.1:${http}/`, { redirect: 'manual' }).catch(() => null));
    return server;
  }

  /** Its access log so far. */
  log(): Promise<string> {
    return readFile(join(this.folder, 'shop-platform.log'), 'utf8');
  }

  async close(): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill('SIGQUIT');
    await exit;
    await rm(this.folder, { recursive: true, force: true });
  }
}
