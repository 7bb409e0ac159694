import { type AppConfig } from '../../src/infrastructure/config/app-config.js';
import { PageLinks } from '../../src/http/addresses/page-links.js';
import { SECRETS, startTestApp, type TestApp, type TestAppOptions } from '../support/test-app.js';

/** An application, and the links that its emails contain. */
export async function startPages(options: TestAppOptions = {}): Promise<{ app: TestApp; links: PageLinks }> {
  const app = await startTestApp(options);
  const config = {
    encryptionKey: Buffer.from(SECRETS.ENCRYPTION_KEY, 'hex'),
    previousEncryptionKey: null,
  } as AppConfig;
  return { app, links: new PageLinks(config, { base: () => app.baseUrl } as never) };
}

/** What a browser shows after a request. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where the page is. */
  readonly path: string;
}

/** A browser without scripts: it keeps cookies by path, follows redirections, and sends the forms of the page that it shows. */
export class Visitor {
  /** The cookies by their path. */
  readonly cookies = new Map<string, string>();
  /** Every response, redirections too. */
  readonly responses: Shown[] = [];
  private page: Shown | null = null;

  constructor(
    private readonly baseUrl: string,
    readonly headers: Readonly<Record<string, string>> = {},
    private readonly acceptsCookies = true,
  ) {}

  /** A second click: the same page and the same cookies, before the response to the first one. */
  secondClick(): Visitor {
    const again = new Visitor(this.baseUrl, this.headers);
    for (const [path, cookie] of this.cookies) again.cookies.set(path, cookie);
    again.page = this.page;
    return again;
  }

  /** Opens an address, as a click on a link in an email does. */
  go(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.follow('GET', new URL(address, this.baseUrl).pathname + new URL(address, this.baseUrl).search, {
      headers,
    });
  }

  /**
   * Sends a form of the page, with its hidden fields.
   * @param end of the path of its action
   * @param fields what the reader enters, or the button that the reader presses; a list for boxes with one name
   * @param otherEnd of the path that the pressed button has
   */
  submit(
    end: string,
    fields: Readonly<Record<string, string | readonly string[]>> = {},
    headers: Readonly<Record<string, string>> = {},
    otherEnd = end,
  ): Promise<Shown> {
    const html = this.page?.html ?? '';
    const form = html.split('<form').find((part) => part.includes(`/${end}"`)) ?? '';
    const action = /action="([^"]+)"/.exec(form)?.[1];
    if (action === undefined) throw new Error(`The page has no form ${end}: ${html}`);
    const hidden = [
      ...form
        .split('</form>', 1)
        .join()
        .matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g),
    ];
    const values = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]));
    const sent = Object.entries({ ...values, ...fields }).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    return this.follow('POST', action.replace(new RegExp(`${end}$`), otherEnd), {
      body: new URLSearchParams(sent),
      headers,
    });
  }

  private async follow(
    method: string,
    path: string,
    request: { body?: URLSearchParams; headers: Readonly<Record<string, string>> },
  ): Promise<Shown> {
    const sent = [...this.cookies].filter(
      ([at]) => path === at || path.startsWith(`${at}/`) || path.startsWith(`${at}?`),
    );
    const response = await fetch(this.baseUrl + path, {
      method,
      redirect: 'manual',
      ...(request.body === undefined ? {} : { body: request.body }),
      headers: {
        // Browsers send it with every form.
        ...(method === 'POST' ? { Origin: this.baseUrl } : {}),
        ...this.headers,
        ...(sent.length === 0 ? {} : { Cookie: sent.map(([, cookie]) => cookie).join('; ') }),
        ...request.headers,
      },
    });
    if (this.acceptsCookies) this.keep(response.headers.getSetCookie());
    const shown = { status: response.status, headers: response.headers, html: await response.text(), path };
    this.responses.push(shown);
    this.page = shown;
    const location = response.headers.get('location');
    return location === null ? shown : this.follow('GET', location, { headers: request.headers });
  }

  private keep(lines: readonly string[]): void {
    for (const line of lines) {
      const path = /; Path=([^;]+)/.exec(line)?.[1] ?? '/';
      if (line.startsWith('page=;')) this.cookies.delete(path);
      else this.cookies.set(path, line.split(';')[0] ?? '');
    }
  }
}
