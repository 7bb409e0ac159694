import { loadProcessConfig } from '../infrastructure/config/app-config.js';
import { ConfigurationError } from '../infrastructure/config/environment.js';

/** Writes a failed start to standard error, for people and not as JSON. */
function fail(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  const trace = error instanceof ConfigurationError || !(error instanceof Error) ? '' : `${error.stack ?? ''}\n`;
  process.stderr.write(`Shop Platform did not start. ${reason}\n${trace}`);
  process.exit(1);
}

// Stack traces name lines of the sources, however the process was started.
process.setSourceMapsEnabled(true);
try {
  const config = loadProcessConfig();
  // Loaded only now, because loading the service takes much longer than finding a wrong variable.
  const { serve } = await import('./serve.js');
  await serve(config);
} catch (error) {
  fail(error);
}
