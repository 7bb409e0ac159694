import { connect } from 'node:tls';
import { whileOthersRun } from '../../http/throttling/request-slots.js';
import { SECOND_MS } from '../../lib/time/durations.js';

const HTTPS_PORT = 443;
const TIMEOUT_MS = 5 * SECOND_MS;

/** Where a certificate is looked for, and who signs it; for tests. */
interface Endpoint {
  readonly port?: number;
  readonly ca?: string;
}

/**
 * Whether the server at an address has a certificate for a hostname that browsers accept. It sends no request.
 * @param address one of the platform's own: an address that somebody else chose must not be connected to
 */
export function hasCertificate(
  address: string,
  hostname: string,
  { port = HTTPS_PORT, ca }: Endpoint = {},
): Promise<boolean> {
  return whileOthersRun(
    () =>
      new Promise((resolve) => {
        const socket = connect({ host: address, port, servername: hostname, ...(ca === undefined ? {} : { ca }) });
        const finish = (result: boolean): void => {
          socket.destroy();
          resolve(result);
        };
        socket.setTimeout(TIMEOUT_MS, () => {
          finish(false);
        });
        socket.once('error', () => {
          finish(false);
        });
        // Not before the certificate is accepted (`rejectUnauthorized`).
        socket.once('secureConnect', () => {
          finish(true);
        });
      }),
  );
}
