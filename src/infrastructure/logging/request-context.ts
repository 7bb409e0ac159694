import { AsyncLocalStorage } from 'node:async_hooks';

/** What every log line of a request contains. */
export interface RequestContext {
  readonly requestId: string;
}

/** The request that the running code belongs to; empty outside of requests. */
export const requestContext = new AsyncLocalStorage<RequestContext>();
