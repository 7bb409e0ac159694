import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EMAILED_SHOP, FakeAudit, recording, TRANSACTION } from '../../../test/support/fakes.js';
import { eventually } from '../../../test/support/eventually.js';
import { readEmail, type ReadEmail } from '../../../test/support/mime.js';
import { type SmtpServer, startSmtpServer } from '../../../test/support/smtp-server.js';
import { Templates } from '../../infrastructure/templates/templates.js';
import { type PublicUrl } from '../../http/addresses/public-url.js';
import { type AppConfig } from '../../infrastructure/config/app-config.js';
import { OutboxHandlers } from '../outbox/outbox-handlers.js';
import { type OutboxItem } from '../outbox/outbox.types.js';
import { accountEmail, type Email, shopEmail } from './email.types.js';
import { UndeliveredEmails } from './undelivered-emails.js';
import { EmailRefusedError } from './email-refused-error.js';
import { type MailAccountService } from './mail-account.service.js';
import { refusalOf } from './mail-rules.js';
import { MailService, MAX_CONNECTIONS } from './mail.service.js';

const ID = '655f1c2ab1e4a9d3f0c81290';
const ORDER = '655f1c2ab1e4a9d3f0c81250';
const INVITATION = '655f1c2ab1e4a9d3f0c81270';
const NOW = new Date('2026-11-23T12:00:00.000Z');
const CONTENT = { subject: 'Your code', parts: [{ text: 'The code:' }, { code: '12345678' }] };
const EMAIL = accountEmail({ email: 'buyer@example.com', language: 'en' }, CONTENT);
const item = (payload: Email, id = ID): OutboxItem => ({
  ...{
    id,
    topic: 'email',
    shopId: payload.shop?.id ?? null,
    orderId: payload.orderId,
    attempts: 0,
    createdAt: NOW,
    payload,
  },
});

/** Of an attempt that nobody ends. */
const NO_END = new AbortController().signal;

const templates = new Templates();
let audit: FakeAudit;
let handlers: OutboxHandlers;
let undelivered: UndeliveredEmails;
let accepted: string[];
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'shop-platform-mail-'));
});
beforeEach(() => {
  accepted = [];
  [audit, handlers, undelivered] = [new FakeAudit(), new OutboxHandlers(), new UndeliveredEmails()];
});
afterEach(() => rm(join(dataDir, 'mail'), { recursive: true, force: true }));
afterAll(() => rm(dataDir, { recursive: true }));

function serviceWith(settings: Partial<AppConfig> = {}): MailService {
  const config: Partial<AppConfig> = {
    ...{ dataDir, mailServer: 'files', mailFrom: 'Game Shops <no-reply@example.com>' },
    ...settings,
  };
  const address = { base: () => 'https://api.example' } as PublicUrl;
  return new MailService(config as AppConfig, templates, audit.asService, handlers, undelivered, account, address);
}

/** Knows no other domain that accepts emails. */
const account = recording<MailAccountService>([], {
  refused: (_to, _createdAt, error) =>
    Promise.resolve(refusalOf(error) === 'mailbox' ? new EmailRefusedError(error, true) : error),
  accepted: (to) => Promise.resolve(void accepted.push(to)),
});

const files = async (): Promise<string[]> => readdir(join(dataDir, 'mail')).catch(() => []);
/** The email that the service writes to a file. */
async function written(email: Email, settings: Partial<AppConfig> = {}): Promise<ReadEmail> {
  await serviceWith(settings).send(item(email), NO_END);
  const [name = ''] = await files();
  return readEmail(await readFile(join(dataDir, 'mail', name), 'latin1'));
}

it('registers as the handler of the email topic in the outbox', () => {
  const service = serviceWith();
  service.onModuleInit();
  expect(handlers.find('email')).toBe(service);
});

describe('MailService', () => {
  it('sends a plain text and an HTML version, with the headers of an automatic email', async () => {
    const { head, text, html } = await written(EMAIL);
    for (const line of [
      'From: Game Shops <no-reply@example.com>',
      'To: buyer@example.com',
      'Subject: Your code',
      `Message-ID: <${ID}@example.com>`,
      'Auto-Submitted: auto-generated',
      'Date: Mon, 23 Nov 2026 12:00:00 +0000',
    ]) {
      expect(head.split('\n')).toContain(line);
    }
    expect(head).not.toMatch(/^reply-to/im);
    expect(text).toMatch(/^12345678$/m);
    expect(html).toContain('>12345678</p>');
  });

  it('sends an email of a shop in the name of the shop, with its support address for replies', async () => {
    const { head } = await written(shopEmail('buyer@example.com', EMAILED_SHOP, CONTENT));
    expect(head).toMatch(/^From: Sky Realm <no-reply@example.com>$/m);
    expect(head).toMatch(/^Reply-To: help@example.com$/m);
  });

  it.each(['no-reply@example.com', '<no-reply@example.com>'])(
    'sends an email under a name also when MAIL_FROM is %s',
    async (mailFrom) => {
      expect((await written(EMAIL, { mailFrom })).head).toMatch(/^From: Shop Platform <no-reply@example.com>$/m);
    },
  );

  it('adds no header for a line break in a subject, a name or an address', async () => {
    const breaking = 'x\r\nBcc: thief@example.com';
    const shop = { ...EMAILED_SHOP, displayName: breaking, supportEmail: `a@example.com${breaking}` };
    const { head } = await written(shopEmail(`a@example.com${breaking}`, shop, { ...CONTENT, subject: breaking }));
    expect(head).not.toMatch(/^bcc:/im);
  });
});

// The validation of addresses rejects these. No header depends on it.
it.each([
  ['x\ufeffa@example.com', '<x\ufeffa@example.com>'],
  ['x\u2028a@example.com', '<x\u2028a@example.com>'],
  ['b@example.com, a@example.com', '<"b@example.com, a"@example.com>'],
])('sends an email to %j and its replies to this address, and to no part of it', async (address, shown) => {
  const { head } = await written(shopEmail(address, { ...EMAILED_SHOP, supportEmail: address }, CONTENT));
  for (const name of ['To', 'Reply-To']) expect(head.split('\n')).toContain(`${name}: ${shown}`);
});

describe('without SMTP_URL', () => {
  it('writes each email to a file that only its owner can read, and a repeated email to the same file', async () => {
    const service = serviceWith();
    for (const id of [ID, ID, ID.replace('6', '7')]) await service.send(item(EMAIL, id), NO_END);
    const names = await files();
    expect(names).toEqual([
      `2026-11-23T12-00-00.000Z-${ID}.eml`,
      `2026-11-23T12-00-00.000Z-${ID.replace('6', '7')}.eml`,
    ]);
    for (const name of names) expect((await stat(join(dataDir, 'mail', name))).mode & 0o777).toBe(0o600);
  });

  it('writes long lines and letters beyond ASCII without an encoding', async () => {
    const long = `https://shop.example.com/${'ä'.repeat(100)}`;
    await serviceWith().send(
      item(accountEmail({ email: 'a@example.com', language: 'en' }, { subject: 'x', parts: [{ code: long }] })),
      NO_END,
    );
    const [name = ''] = await files();
    expect(await readFile(join(dataDir, 'mail', name), 'utf8')).toContain(`\n${long}\n`);
  });

  it('fails an attempt when the file cannot be written', async () => {
    await expect(serviceWith({ dataDir: '/dev/null' }).send(item(EMAIL), NO_END)).rejects.toThrow('ENOTDIR');
  });
});

it('neither sends nor writes an email with SMTP_URL=none', async () => {
  await serviceWith({ mailServer: 'none' }).send(item(EMAIL), NO_END);
  expect(await files()).toEqual([]);
});

describe('with SMTP_URL', () => {
  let server: SmtpServer;
  let service: MailService;

  beforeAll(async () => {
    server = await startSmtpServer();
  });
  beforeEach(() => {
    server.taken.length = 0;
    service = serviceWith({ mailServer: server.url });
  });
  afterEach(() => {
    service.onApplicationShutdown();
  });
  afterAll(() => server.close());

  it('ends an attempt when the server has accepted the email, and writes no file', async () => {
    await service.send(item(EMAIL), NO_END);
    const taken = await Promise.all(server.taken.map(readEmail));
    expect(taken.map(({ text }) => text)).toEqual([expect.stringContaining('12345678')]);
    expect(await files()).toEqual([]);
  });

  it.each([
    ['a temporary error', 'refusals', '451 not now', [10_000, 60_000]],
    ['a sender that is not accepted', 'refusals', '530 log in first', [10_000, 60_000]],
    ['a relay that is denied', 'unknown', '554 relay denied', [10_000, 60_000]],
    ['an address that does not exist', 'unknown', '550 5.1.1 nobody here', [null, null]],
  ] as const)(
    'fails with %s, and is retried only when a retry can help, later each time',
    async (_, which, refusal, waits) => {
      server[which].push(refusal);
      const error = await service.send(item(EMAIL), NO_END).catch((reason: unknown) => reason);
      expect([1, 2].map((attempts) => service.retryAfter(attempts, error))).toEqual(waits);
      await service.send(item(EMAIL), NO_END);
      expect(server.taken).toHaveLength(1);
      expect(accepted).toEqual([EMAIL.to]);
    },
  );

  it('skips an email whose attempt ended while it waited, so that the next attempt does not send it twice', async () => {
    let goOn = (): void => undefined;
    const isSlow = new Promise<void>((resolve) => (goOn = resolve));
    server.beforeTaking = () => isSlow;
    const before = server.begun();
    const sent = Array.from({ length: MAX_CONNECTIONS }, () => service.send(item(EMAIL), NO_END));
    await eventually(() => Promise.resolve(server.begun() === before + MAX_CONNECTIONS));
    const end = new AbortController();
    const late = service.send(item(EMAIL), end.signal);
    end.abort(new Error('the try took too long'));
    goOn();
    await expect(late).rejects.toThrow('the try took too long');
    await Promise.all(sent);
    await service.send(item(EMAIL), NO_END);
    expect(server.taken).toHaveLength(MAX_CONNECTIONS + 1);
    server.beforeTaking = () => Promise.resolve();
  });

  it('waits at most 5 s for a connection and for a greeting, and 10 s for anything else', async () => {
    const phases = jest.spyOn(globalThis, 'setTimeout');
    const silences = jest.spyOn(Socket.prototype, 'setTimeout');
    await service.send(item(EMAIL), NO_END);
    const phaseMs = Math.max(...phases.mock.calls.map(([, delayMs]) => delayMs ?? 0));
    const silenceMs = Math.max(...silences.mock.calls.map(([delayMs]) => delayMs));
    jest.restoreAllMocks();
    // Connecting and greeting share the time, so less may be left.
    expect(phaseMs).toBeGreaterThan(1_000);
    expect(phaseMs).toBeLessThanOrEqual(5_000);
    expect(silenceMs).toBe(10_000);
  });

  it('fails an attempt when the server dies, and sends on the next attempt', async () => {
    server.beforeTaking = () => {
      server.cutConnections();
      server.beforeTaking = () => Promise.resolve();
      return Promise.resolve();
    };
    await expect(service.send(item(EMAIL), NO_END)).rejects.toThrow();
    await service.send(item(EMAIL), NO_END);
    expect(server.taken).toHaveLength(1);
  });
});

it('records in the audit log of a shop that its email was set aside, and nothing for an email without a shop', async () => {
  const service = serviceWith();
  for (const shopId of [EMAILED_SHOP.id, null]) await service.setAside({ ...item(EMAIL), shopId }, TRANSACTION);
  const author = { shopId: EMAILED_SHOP.id, principal: 'system' };
  expect(audit.entries).toEqual([{ author, action: 'email.failed', subjectId: ID }]);
  expect(audit.transactions).toEqual([TRANSACTION]);
});

it('reports which order has a buyer without emails and which invitation did not arrive, and names it in the audit log', async () => {
  const reports: unknown[] = [];
  for (const subject of ['order', 'invitation'] as const) {
    undelivered.register(subject, (...report) => Promise.resolve(void reports.push([subject, ...report])));
  }
  const service = serviceWith();
  const email = shopEmail('buyer@example.com', EMAILED_SHOP, CONTENT, ORDER);
  await service.setAside(item(email), TRANSACTION);
  await service.setAside(item({ ...email, orderId: null, invitationId: INVITATION }), TRANSACTION);
  expect(reports).toEqual([
    ['order', EMAILED_SHOP.id, ORDER, TRANSACTION],
    ['invitation', EMAILED_SHOP.id, INVITATION, TRANSACTION],
  ]);
  expect(audit.entries).toMatchObject([{ subjectId: ORDER }, { subjectId: INVITATION }]);
  // Nobody can read for whom it was.
  await service.setAside({ ...item(email), payload: null }, TRANSACTION);
  await service.setAside(item(shopEmail('owner@example.com', EMAILED_SHOP, CONTENT)), TRANSACTION);
  expect(reports).toHaveLength(2);
});
