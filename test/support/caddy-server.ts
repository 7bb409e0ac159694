import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { read } from '../contract/pages.js';
import { eventually } from './eventually.js';
import { ProxyServer } from './proxy-server.js';
import { freePort } from './free-port.js';

/**
 * A real Caddy on loopback with the configuration of ops/caddy: its ports and the folder of the storefront are others, and its
 * certificates are from an authority of its own.
 */
export class CaddyServer extends ProxyServer {
  private text = '';

  /** @param upstreams the ports of the two processes */
  static async start(upstreams: readonly [number, number]): Promise<CaddyServer> {
    const folder = await mkdtemp(join(tmpdir(), 'shop-platform-caddy-'));
    const [http, https] = [await freePort(), await freePort()];
    const options = [
      ...['admin off', 'skip_install_trust', 'local_certs', 'default_bind 127.0.0.1'],
      ...[`http_port ${http}`, `https_port ${https}`],
    ];
    const own = (await read('ops/caddy/Caddyfile'))
      .replace(/^\{\n/m, `{\n${options.map((option) => `\t${option}\n`).join('')}`)
      .replace(
        'reverse_proxy 127.0.0.1:3000',
        `reverse_proxy ${upstreams.map((port) => `127.0.0.1:${port}`).join(' ')}`,
      )
      .replace('127.0.0.1:3000', `127.0.0.1:${upstreams[0]}`)
      .replace('/srv/storefront', join(folder, 'storefront'));
    await mkdir(join(folder, 'storefront'));
    await writeFile(join(folder, 'storefront', 'index.html'), 'A storefront');
    await writeFile(join(folder, 'Caddyfile'), own);
    const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', join(folder, 'Caddyfile')], {
      // Its certificates are below the first, and below the second the configuration that it runs.
      env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const server = new CaddyServer(child, folder, http, https);
    child.stderr.on('data', (chunk: Buffer) => (server.text += chunk.toString()));
    await eventually(
      () => Promise.resolve(server.text.includes('certificate obtained successfully')),
      () => server.text,
    );
    return server;
  }

  /** The certificate of its authority. */
  ca(): Promise<string> {
    return readFile(join(this.folder, 'caddy/pki/authorities/local/root.crt'), 'utf8');
  }

  /** Its log so far. */
  log(): Promise<string> {
    return Promise.resolve(this.text);
  }

  close(): Promise<void> {
    return this.end('SIGTERM');
  }
}
