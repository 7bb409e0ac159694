// Runs once in each worker of jest-light-runner, before the first spec file.
import { register } from 'node:module';

process.setSourceMapsEnabled(true);
register('./typescript-hooks.js', import.meta.url, {
  data: { globals: new URL('spec-globals.js', import.meta.url).href, reloads: false },
});
