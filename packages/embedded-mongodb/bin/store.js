// `npm run store`: starts the compiled command line of the store. It builds nothing, so that it never changes the `dist` of a
// service that is running; without a build it says what to do and exits with code 2.
import { existsSync } from 'node:fs';

const cli = new URL('../dist/cli.js', import.meta.url);
if (existsSync(cli)) await import(cli.href);
else {
  process.stderr.write('The store is not built yet. Run "npm run build" first.\n');
  process.exitCode = 2;
}
