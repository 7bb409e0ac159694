// `npm run check:ops`: validates docker-compose.yml, the files of ops/ and the software bill of materials with the tools that will read
// them. It leaves out a check whose tool is missing, and installs only the schemas of Kubernetes (from PyPI, in the user's cache folder).
// test/operations has what needs no tool, and the schema of docker-compose.yml; `npm run long -- proxies` runs nginx and Caddy.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pythonTool } from '../test/support/python-tool.js';

const folder = mkdtempSync(join(tmpdir(), 'shop-platform-ops-'));
const manifests = readdirSync('ops/kubernetes').filter((name) => name !== 'kustomization.yaml');

/** What is checked, how to see that its tool is there, the command (or a function that prepares it), and its environment. */
const CHECKS = [
  {
    subject: 'docker-compose.yml',
    tool: ['docker', 'compose', 'version'],
    command: ['docker', 'compose', '--env-file', '/dev/null', '--profile', '*', 'config', '--quiet'],
    env: { MONGO_PASSWORD: 'check' },
  },
  { subject: 'ops/nginx/shop-platform.conf', tool: ['nginx', '-v'], command: nginxCommand },
  {
    subject: 'ops/caddy/Caddyfile',
    tool: ['caddy', 'version'],
    command: ['caddy', 'validate', '--adapter', 'caddyfile', '--config', 'ops/caddy/Caddyfile'],
  },
  {
    subject: 'ops/systemd/shop-platform@.service',
    tool: ['systemd-analyze', '--version'],
    command: ['systemd-analyze', 'verify', '--man=no', './ops/systemd/shop-platform@.service'],
  },
  {
    subject: 'ops/kubernetes (kustomize)',
    tool: ['kubectl', 'version', '--client'],
    command: ['kubectl', 'kustomize', 'ops/kubernetes'],
  },
  {
    subject: 'ops/kubernetes (schemas)',
    tool: [pythonTool('kubernetes-validate', '1.37.0') ?? 'kubernetes-validate', '--version'],
    command: ([tool]) => [tool, '--strict', ...manifests.map((name) => join('ops/kubernetes', name))],
  },
  {
    // The configuration names the file of the alert rules, so promtool checks that too.
    subject: 'ops/prometheus',
    tool: ['promtool', '--version'],
    command: ['promtool', 'check', 'config', 'ops/prometheus/prometheus.yml'],
  },
  {
    subject: 'ops/prometheus/alertmanager.yml',
    tool: ['amtool', '--version'],
    command: ['amtool', 'check-config', 'ops/prometheus/alertmanager.yml'],
  },
  {
    subject: 'the software bill of materials',
    tool: ['npm', '--version'],
    command: ['npm', 'run', '--silent', 'sbom'],
  },
];

/** The file is a part of a configuration, on ports for root, and names a certificate and logs that this machine does not have. */
function nginxCommand() {
  const [key, certificate] = ['key', 'pem'].map((ending) => join(folder, `api.example.com.${ending}`));
  const files = ['-nodes', '-subj', '/CN=api.example.com', '-keyout', key, '-out', certificate];
  run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', ...files]);
  const own = readFileSync('ops/nginx/shop-platform.conf', 'utf8')
    .replaceAll(/listen (?:\[::\]:)?(?=80|443)/g, '$&20')
    .replaceAll(/\/(etc\/ssl\/shop-platform|var\/log\/nginx)\//g, `${folder}/`);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `pid ${folder}/pid;\nevents {}\nhttp {\n${own}}\n`);
  return ['nginx', '-t', '-q', '-p', folder, '-c', file];
}

function run([command, ...parameters], env = {}) {
  const { status, stdout, stderr } = spawnSync(command, parameters, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
    maxBuffer: 64 * 2 ** 20,
  });
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}`.trim() };
}

let failed = 0;
for (const { subject, tool, command, env } of CHECKS) {
  if (!run(tool).ok) {
    console.log(`Left out  ${subject}: there is no ${tool.slice(0, -1).join(' ')}.`);
    continue;
  }
  const { ok, output } = run(typeof command === 'function' ? command(tool) : command, env);
  console.log(`${ok ? 'Valid    ' : 'Wrong    '} ${subject}`);
  if (ok) continue;
  failed++;
  console.log(output.replace(/^/gm, '  '));
}
rmSync(folder, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;
