import request, { type Response } from 'supertest';
import { requireDocumented } from './documented.js';

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export interface Call {
  /** An access token. */
  readonly token?: string;
  /** An API key. */
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Calls the API over HTTP. Paths are below `/api/v2`. Every response must be as the OpenAPI document says. */
export class Client {
  constructor(readonly baseUrl: string) {}

  async call(method: Method, path: string, { token, key, headers = {}, body }: Call = {}): Promise<Response> {
    const test = request(this.baseUrl)[method](`/api/v2${path}`).set(headers);
    if (token !== undefined) test.set('Authorization', `Bearer ${token}`);
    if (key !== undefined) test.set('X-API-Key', key);
    const response = await (body === undefined ? test : test.send(body as object));
    requireDocumented(method, `/api/v2${path.replace(/\?.*$/s, '')}`, response);
    return response;
  }

  get(path: string, call?: Call): Promise<Response> {
    return this.call('get', path, call);
  }
  post(path: string, body: unknown, call: Call = {}): Promise<Response> {
    return this.call('post', path, { ...call, body });
  }
  put(path: string, body: unknown, call: Call = {}): Promise<Response> {
    return this.call('put', path, { ...call, body });
  }
  patch(path: string, body: unknown, call: Call = {}): Promise<Response> {
    return this.call('patch', path, { ...call, body });
  }
  delete(path: string, call?: Call): Promise<Response> {
    return this.call('delete', path, call);
  }
}
