/** Sends a request without credential and without retries. */
export type Send = (method: string, path: string, body: unknown) => Promise<Response>;

/** How a client authenticates. A client has one credential, and never sends two. */
export interface Credential {
  /** Whether the browser sends the cookies of its origin. */
  readonly cookies: RequestCredentials;
  authorize(headers: Headers, method: string): Promise<void> | void;
  /**
   * Renews the credential that the service rejected as it was sent in `headers`.
   * @returns whether there is a new one to repeat the request with
   */
  renew?(headers: Headers, send: Send): Promise<boolean>;
}

/** For what everybody can read. */
export function anonymous(): Credential {
  return { cookies: 'omit', authorize: () => undefined };
}

/** An API key of a shop: `shp_...`. */
export function apiKey(key: string): Credential {
  return { cookies: 'omit', authorize: (headers) => headers.set('X-API-Key', key) };
}

/** The cookie of `POST /api/v2/auth/session`, for pages of the service's own origin. */
export function cookieSession(): Credential {
  return {
    cookies: 'same-origin',
    // A page of another origin cannot send it.
    authorize: (headers, method) => (method === 'GET' ? undefined : headers.set('X-CSRF', '1')),
  };
}

export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

/** Where the tokens of a person are. Tabs that share a session share the store. */
export interface TokenStore {
  load(): Tokens | null | Promise<Tokens | null>;
  /** Null: the session is over. */
  save(tokens: Tokens | null): void | Promise<void>;
}

const REFRESH_PATH = '/api/v2/auth/refresh';
const LOCK = 'shop-platform-refresh';

/** One refresh at a time in all tabs of an origin, where there are tabs. */
async function exclusively(action: () => Promise<boolean>): Promise<boolean> {
  const locks = (globalThis.navigator as Partial<Navigator> | undefined)?.locks;
  return locks === undefined ? action() : await locks.request(LOCK, action);
}

/** An access token, which is refreshed when the service rejects it. */
export function bearer(store: TokenStore): Credential {
  let running: Promise<boolean> | null = null;

  const header = (tokens: Tokens): string => `Bearer ${tokens.accessToken}`;
  const refresh = async (rejected: string, send: Send): Promise<boolean> => {
    const tokens = await store.load();
    if (tokens === null) return false;
    // Another tab or another request was faster.
    if (header(tokens) !== rejected) return true;
    const response = await send('POST', REFRESH_PATH, { refreshToken: tokens.refreshToken });
    if (response.status === 401) {
      await store.save(null);
      return false;
    }
    if (!response.ok) return false;
    const { data } = (await response.json()) as { data: Tokens };
    await store.save(data);
    return true;
  };

  return {
    cookies: 'omit',
    authorize: async (headers) => {
      const tokens = await store.load();
      if (tokens !== null) headers.set('Authorization', header(tokens));
    },
    renew: (headers, send) => {
      const rejected = headers.get('Authorization');
      if (rejected === null) return Promise.resolve(false);
      running ??= exclusively(() => refresh(rejected, send)).finally(() => (running = null));
      return running;
    },
  };
}
