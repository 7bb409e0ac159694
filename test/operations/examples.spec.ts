import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { ENVIRONMENT_NAMES, parseEnvironment } from '../../src/infrastructure/config/environment.js';
import { HOUR_MS } from '../../src/lib/time/durations.js';
import { read, ROOT } from '../contract/pages.js';

const READY = '/api/v2/health/ready';
const LIVE = '/api/v2/health/live';
/** What a process needs after SIGTERM, apart from `SHUTDOWN_DELAY_SECONDS`: docs/handbook/several-processes.md. */
const STOP_SECONDS = 20;

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}
interface Container {
  readonly image: string;
  readonly args?: readonly string[];
  readonly envFrom: readonly Readonly<Record<string, { readonly name: string }>>[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly livenessProbe: Probe;
  readonly readinessProbe: Probe;
  readonly securityContext: object;
  readonly resources: { readonly limits: object };
  readonly volumeMounts: readonly { readonly mountPath: string }[];
}
interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations: Readonly<Record<string, string>> };
  readonly data: Readonly<Record<string, string>>;
  readonly spec: {
    readonly template: { readonly spec: PodSpec };
    readonly jobTemplate: { readonly spec: { readonly template: PodTemplate } };
    readonly selector: Labels;
    readonly ingress: readonly object[];
  };
}
type Labels = Readonly<Record<string, string>>;
interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly initContainers?: readonly [Container];
  readonly containers: readonly [Container];
}
interface PodTemplate {
  readonly metadata: { readonly labels: Labels };
  readonly spec: PodSpec;
}

describe('ops/kubernetes', () => {
  let manifests: Manifest[];
  const only = (kind: string): Manifest => {
    const [manifest, ...others] = manifests.filter((one) => one.kind === kind);
    if (manifest === undefined || others.length > 0) throw new Error(`There is not exactly one ${kind}`);
    return manifest;
  };

  beforeAll(async () => {
    const { resources } = parse(await read('ops/kubernetes/kustomization.yaml')) as { resources: string[] };
    const files = await readdir(join(ROOT, 'ops/kubernetes'));
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(files.sort());
    const texts = await Promise.all(resources.map((name) => read(join('ops/kubernetes', name))));
    manifests = texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest));
  });

  it('sets only variables that the service has, and with the Secret they are a configuration for production', () => {
    const { data } = only('ConfigMap');
    expect(Object.keys(data).filter((name) => !ENVIRONMENT_NAMES.includes(name))).toEqual([]);
    const secret = {
      JWT_SECRET: 'k3yk3y-0123456789-0123456789-0123456789',
      ENCRYPTION_KEY: 'a1'.repeat(32),
      MONGODB_URI: 'mongodb://db/shop?replicaSet=rs0',
      SMTP_URL: 'smtp://mail',
    };
    expect(parseEnvironment({ NODE_ENV: 'production', ...data, ...secret })).toMatchObject({ NODE_ENV: 'production' });
  });

  it('checks the health of the service at its paths, and gives it enough time to stop', () => {
    const { spec } = only('Deployment').spec.template;
    const [container] = spec.containers;
    expect(container.livenessProbe.httpGet).toEqual({ path: LIVE, port: 'http' });
    expect(container.readinessProbe.httpGet).toEqual({ path: READY, port: 'http' });
    const { data } = only('ConfigMap');
    expect(container.ports).toEqual([
      { name: 'http', containerPort: 3000 },
      { name: 'metrics', containerPort: Number(data['METRICS_PORT']) },
    ]);
    const needed = Number(data['SHUTDOWN_DELAY_SECONDS']) + STOP_SECONDS;
    expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(needed);
  });

  it('migrates the database with the image and the settings of the service before the service starts', async () => {
    const { initContainers = [], containers } = only('Deployment').spec.template.spec;
    const [service] = containers;
    const [migration] = initContainers;
    expect(migration?.args).toEqual(['node', 'dist/app/cli.js', 'migrate']);
    expect(migration?.envFrom).toEqual(service.envFrom);
    const { images } = parse(await read('ops/kubernetes/kustomization.yaml')) as { images: { name: string }[] };
    expect([migration?.image, service.image]).toEqual([images[0]?.name, images[0]?.name]);
  });

  it('keeps backups on a volume of their own, and sends no requests to the pod that makes them', () => {
    const { metadata, spec } = only('CronJob').spec.jobTemplate.spec.template;
    const [service] = only('Deployment').spec.template.spec.containers;
    const [backup] = spec.containers;
    expect([backup.image, backup.envFrom]).toEqual([service.image, service.envFrom]);
    expect(metadata.labels).not.toMatchObject(only('Service').spec.selector);

    expect(backup.args).toEqual(['shop-backup', '/backups']);
    expect(backup.volumeMounts.map(({ mountPath }) => mountPath)).toContain('/backups');
  });

  it('lets only Prometheus reach the metrics, and logs no path with a secret', () => {
    const [api, metrics, ...others] = only('NetworkPolicy').spec.ingress;
    expect(api).toEqual({ ports: [{ port: 'http' }] });
    const namespaceSelector = { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } };
    expect([metrics, others]).toEqual([{ from: [{ namespaceSelector }], ports: [{ port: 'metrics' }] }, []]);
    expect(only('Ingress').metadata.annotations['nginx.ingress.kubernetes.io/enable-access-log']).toBe('false');
  });

  it('confines the containers as docker-compose.yml does', () => {
    const pods = [only('Deployment').spec.template.spec, only('CronJob').spec.jobTemplate.spec.template.spec];
    for (const { securityContext, initContainers = [], containers } of pods) {
      expect(securityContext).toMatchObject({ runAsNonRoot: true });
      for (const container of [...initContainers, ...containers]) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.limits).toHaveProperty('memory');
        const paths = container.volumeMounts.map(({ mountPath }) => mountPath);
        expect(paths.filter((path) => path !== '/backups')).toEqual(['/data', '/tmp']);
      }
    }
  });
});

describe('ops/caddy/Caddyfile', () => {
  it('names the paths of the service for certificates and health', async () => {
    const text = await read('ops/caddy/Caddyfile');
    expect(text).toMatch(/^\t\task http:\/\/127\.0\.0\.1:3000\/api\/v2\/domains\/allowed$/m);
    expect(text).toContain(`health_uri ${READY}`);
  });
});

describe('ops/systemd/shop-platform@.service', () => {
  it('starts the service as the image does, with a root file system that is read-only, and gives it enough time to stop', async () => {
    const unit = await read('ops/systemd/shop-platform@.service');
    const [, command] = /^CMD \["node", "(\S+)"\]$/m.exec(await read('Dockerfile')) ?? [];
    expect(unit).toMatch(new RegExp(`^ExecStart=.* NODE_ENV=production .*/usr/bin/node ${command ?? 'nothing'}$`, 'm'));
    for (const line of ['DynamicUser=yes', 'ProtectSystem=strict', 'NoNewPrivileges=yes']) {
      expect(unit).toMatch(new RegExp(`^${line}$`, 'm'));
    }
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
    expect(Number(seconds)).toBeGreaterThan(5 + STOP_SECONDS);
  });

  it('gives the command line the settings, the folder and the program of the service', async () => {
    const [unit, script] = await Promise.all([read('ops/systemd/shop-platform@.service'), read('ops/systemd/shop')]);
    const [, fixed = 'none'] = /^ExecStart=\/usr\/bin\/env (NODE_ENV=\S+ DATA_DIR=\S+) /m.exec(unit) ?? [];
    expect(script).toContain(`export ${fixed}\n`);
    const [, settings = 'none'] = /^EnvironmentFile=(\/\S+)$/m.exec(unit) ?? [];
    const [, folder = 'none'] = /^WorkingDirectory=(\S+)$/m.exec(unit) ?? [];
    expect(script).toContain(`--env-file=${settings} "\${SHOP_FOLDER:-${folder}}/dist/app/cli.js" "$@"`);
    expect(script).toContain(`folder=/var/lib/private/${/^StateDirectory=(\S+)$/m.exec(unit)?.[1] ?? 'none'}\n`);
  });
});

describe('ops/backup/shop-backup', () => {
  /** What the folder has: name -> its age in hours. */
  const KEPT = {
    'lost+found': 9_999,
    '2020-01-02-0307': 165,
    '2020-01-03-0007': 48,
    '2020-01-04-1307': 23,
    '2020-01-04-1407': 22,
    '2020-01-04-1507.part': 1,
  };
  const REMOVED = { '2020-01-01-0007': 170, '2020-01-02-0407': 164, '2020-01-03-0107': 47, '2020-01-03-1407.part': 34 };
  let folder: string;
  /** A folder with a command `shop`. */
  let commands: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'shop-platform-backups '));
    commands = await mkdtemp(join(tmpdir(), 'shop-platform-commands-'));
    for (const [name, hours] of Object.entries({ ...KEPT, ...REMOVED })) {
      const at = new Date(Date.now() - hours * HOUR_MS);
      await mkdir(join(folder, name));
      await utimes(join(folder, name), at, at);
    }
  });
  afterEach(async () => {
    for (const made of [folder, commands]) await rm(made, { recursive: true });
  });

  /** Runs the script with a command `shop` of these lines. */
  async function run(...lines: readonly string[]): Promise<{ status: number | null; output: string }> {
    await writeFile(join(commands, 'shop'), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync(join(ROOT, 'ops/backup/shop-backup'), [folder], {
      encoding: 'utf8',
      env: { PATH: `${commands}:${process.env['PATH'] ?? ''}` },
    });
    return { status, output: stdout + stderr };
  }

  it('takes a backup, keeps those of the last day and the first one of each day of the last week, and writes nothing', async () => {
    expect(await run('echo taken', '[ "$1" = backup ] && mkdir "$2"')).toEqual({ status: 0, output: '' });
    const left = await readdir(folder);
    expect(left).toEqual(expect.arrayContaining(Object.keys(KEPT)));
    const others = left.filter((name) => !Object.keys(KEPT).includes(name));
    expect(others).toEqual([expect.stringMatching(/^20\d\d-\d\d-\d\d-\d{4}$/)]);
  });

  it('writes why no backup could be taken, and removes none', async () => {
    const failed = await run('echo progress >&2', 'echo the disk is full >&2', 'exit 1');
    expect(failed).toEqual({ status: 1, output: 'progress\nthe disk is full\n' });
    expect((await readdir(folder)).sort()).toEqual(Object.keys({ ...KEPT, ...REMOVED }).sort());
  });

  it('is in the image, with the command that it calls', async () => {
    expect(await read('Dockerfile')).toContain('COPY ops/docker/shop ops/backup/shop-backup /usr/local/bin/\n');
    const { mode } = await stat(join(ROOT, 'ops/docker/shop'));
    expect(mode & 0o111).toBe(0o111);
  });
});
