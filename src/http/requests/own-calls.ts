import { randomUUID } from 'node:crypto';
import { type Request } from 'express';

const HEADER = 'x-own-call';

/** The calls of this process to itself that run now. */
const running = new Set<string>();

/**
 * Sends a request of this service to its own address. It needs no slot: the request that sends it has one, and must not fail because too
 * many others at the address wait for theirs.
 * @param send gets the header that marks the request; it is valid only until the response
 */
export async function asOwnCall<Result>(
  send: (headers: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  const id = randomUUID();
  running.add(id);
  try {
    return await send({ [HEADER]: id });
  } finally {
    running.delete(id);
  }
}

/** Whether this process has sent a request to itself. */
export function isOwnCall({ headers }: Pick<Request, 'headers'>): boolean {
  const id = headers[HEADER];
  return typeof id === 'string' && running.has(id);
}
