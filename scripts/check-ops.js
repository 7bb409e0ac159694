// `npm run check:ops`: validates docker-compose.yml and the files of ops/ with the tools that will read them. It installs nothing, and
// leaves out a check whose tool is missing. test/operations has what needs no tool; `npm run long -- nginx` runs a real nginx.
import { spawnSync } from 'node:child_process';

/** What is checked, the command, how to see that its tool is there, and the input of the command. */
const CHECKS = [
  {
    subject: 'docker-compose.yml',
    tool: ['docker', 'compose', 'version'],
    command: ['docker', 'compose', '--env-file', '/dev/null', '--profile', '*', 'config', '--quiet'],
    env: { MONGO_PASSWORD: 'check' },
  },
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
    tool: ['kubeconform', '-v'],
    command: [
      ...['kubeconform', '-strict', '-ignore-filename-pattern', 'kustomization.yaml', '-summary'],
      'ops/kubernetes',
    ],
  },
  {
    subject: 'ops/prometheus',
    tool: ['promtool', '--version'],
    command: ['promtool', 'check', 'config', 'ops/prometheus/prometheus.yml'],
  },
];

function run([command, ...parameters], env = {}) {
  const { status, stdout, stderr } = spawnSync(command, parameters, {
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return { ok: status === 0, output: `${stdout ?? ''}${stderr ?? ''}`.trim() };
}

let failed = 0;
for (const { subject, tool, command, env } of CHECKS) {
  if (!run(tool).ok) {
    console.log(`Left out  ${subject}: there is no ${tool.slice(0, -1).join(' ')}.`);
    continue;
  }
  const { ok, output } = run(command, env);
  console.log(`${ok ? 'Valid    ' : 'Wrong    '} ${subject}`);
  if (ok) continue;
  failed++;
  console.log(output.replace(/^/gm, '  '));
}
process.exitCode = failed === 0 ? 0 : 1;
