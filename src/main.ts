import cluster from 'node:cluster';
import { loadAppConfig, readProcessEnvironment } from './config/app-config.js';
import { ConfigurationError } from './config/environment.js';

/** Writes a failed start to standard error, for people and not as JSON. */
function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const trace = error instanceof ConfigurationError || !(error instanceof Error) ? '' : `${error.stack ?? ''}\n`;
  process.stderr.write(`Shop Platform did not start. ${reason}\n${trace}`);
  process.exit(1);
}

// The flag `--enable-source-maps` would do more: pino would decode all maps at the start (20 MB on Node 24) to name its caller.
process.setSourceMapsEnabled(true);
try {
  const config = loadAppConfig(readProcessEnvironment());
  // Loaded only now, because loading the service takes much longer than finding a wrong variable.
  const isPool = config.workers > 1 && cluster.isPrimary;
  const run = isPool ? (await import('./workers/run-workers.js')).runWorkers : (await import('./serve.js')).serve;
  await run(config);
} catch (error) {
  fail(error);
}
