import { createRequire } from 'node:module';
import { type Socket } from 'node:net';

/** What is used of the driver's class. */
interface DriverConnection {
  readonly closed: boolean;
  readonly socket: Socket;
  cleanup(error: Error): void;
}

const requireHere = createRequire(import.meta.url);
/** The driver that mongoose uses. It exports this class to nobody, so its file is named. */
const driver = createRequire(requireHere.resolve('mongoose'))('mongodb/lib/cmap/connection.js') as {
  Connection: { readonly prototype: DriverConnection };
};
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the connection, below
const { cleanup } = driver.Connection.prototype;

/**
 * Ends the commands that wait for a socket which the server has closed. It works around a fault of the driver (versions
 * 7.8 and 7.9), for which there is no issue: a command that is written after the end of the connection, and before the
 * socket's `close` event, waits for `drain` or `error` (`writeCommand` in mongodb/lib/cmap/connection.js, line 418 in
 * 7.8.0). Neither comes, because `cleanup` destroys the socket without an error, so the command waits forever. If it is
 * the check of a server, the driver does not use that server again until a restart.
 */
export function endCommandsOfClosedSockets(): void {
  driver.Connection.prototype.cleanup = function (error) {
    const wasOpen = !this.closed;
    cleanup.call(this, error);
    if (wasOpen) this.socket.emit('error', error);
  };
}
