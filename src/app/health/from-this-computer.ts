import { type IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** What a proxy adds to the request of somebody else. */
const FORWARDED = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether a program on this computer, or in this container, made the request itself. A reverse proxy on the same computer connects
 * from there too, for everybody, but says so in a header.
 */
export function isFromThisComputer({ socket: { remoteAddress }, headers }: IncomingMessage): boolean {
  if (remoteAddress === undefined || FORWARDED.some((name) => headers[name] !== undefined)) return false;
  return ipaddr.process(remoteAddress).range() === 'loopback';
}
