import { ConfigurationError } from '../../infrastructure/config/environment.js';

/** What is wrong with an address, by the code of the error. */
const reasons = (variable: string, port: number, host: string): Readonly<Record<string, string>> => ({
  EADDRINUSE: `${variable}: ${port} is already in use`,
  EACCES: `${variable}: this user may not open port ${port}`,
  EADDRNOTAVAIL: `HOST: this machine has no address ${host}`,
});

/**
 * The error of a server that cannot listen, as one that names the variable to change. Any other error is returned as it is.
 * @param variable the one that sets the port
 */
export function listenProblem(error: unknown, variable: 'PORT' | 'METRICS_PORT', port: number, host: string): unknown {
  const reason = reasons(variable, port, host)[(error as NodeJS.ErrnoException).code ?? ''];
  return reason === undefined ? error : new ConfigurationError(reason, { cause: error });
}
