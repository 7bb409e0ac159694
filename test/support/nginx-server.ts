import { execFileSync, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read } from '../contract/pages.js';
import { eventually } from './eventually.js';
import { ProxyServer } from './proxy-server.js';
import { freePort } from './free-port.js';

const CERTIFICATE = [
  ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=api.example.com'],
  ...['-addext', 'subjectAltName=DNS:api.example.com'],
];

/** A real nginx on loopback with the configuration of ops/nginx: only its ports, certificate and logs are others. */
export class NginxServer extends ProxyServer {
  /** @param upstreams the ports of the two processes */
  static async start(upstreams: readonly [number, number]): Promise<NginxServer> {
    const folder = await mkdtemp(join(tmpdir(), 'shop-platform-nginx-'));
    const [http, https] = [await freePort(), await freePort()];
    const files = ['-keyout', join(folder, 'api.example.com.key'), '-out', join(folder, 'api.example.com.pem')];
    execFileSync('openssl', [...CERTIFICATE, ...files], { stdio: 'ignore' });
    const own = (await read('ops/nginx/shop-platform.conf'))
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

  /** Does something while a process is marked as `down`, with the changes and the reloads of docs/handbook/several-processes.md. */
  async without(upstream: number, work: () => Promise<void>): Promise<void> {
    const file = join(this.folder, 'nginx.conf');
    const before = await readFile(file, 'utf8');
    const line = `server 127.0.0.1:${upstream} max_fails=0`;
    await this.reload(before.replace(`${line};`, `${line} down;`));
    await work();
    await this.reload(before);
  }

  /** The certificate of its authority, which is its own. */
  ca(): Promise<string> {
    return readFile(join(this.folder, 'api.example.com.pem'), 'utf8');
  }

  /** Its logs so far. */
  async log(): Promise<string> {
    const files = (await readdir(this.folder)).filter((name) => name.endsWith('.log'));
    return (await Promise.all(files.map((name) => readFile(join(this.folder, name), 'utf8')))).join('');
  }

  close(): Promise<void> {
    return this.end('SIGQUIT');
  }

  private async reload(configuration: string): Promise<void> {
    await writeFile(join(this.folder, 'nginx.conf'), configuration);
    this.child.kill('SIGHUP');
  }
}
