// `npm run dev`: compiles the service and the console again whenever a source file changes, and starts the service again.
import { spawn, spawnSync } from 'node:child_process';

// Those that change rarely, and the first build of the console, which must be there before the first request.
for (const workspace of ['packages/embedded-mongodb', 'packages/client', 'packages/console']) {
  const { status } = spawnSync('npm', ['run', '--silent', 'build', '-w', workspace], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
const children = [
  spawn('npm', ['run', '--silent', 'watch', '-w', 'packages/console'], { stdio: 'inherit' }),
  spawn('npx', ['nest', 'start', '--watch', ...process.argv.slice(2)], { stdio: 'inherit' }),
];
for (const child of children) {
  child.once('exit', (code) => {
    for (const other of children) other.kill();
    process.exitCode = code ?? 1;
  });
}
