import { beforeEach, describe, expect, it } from '@jest/globals';
import { EMAILED_SHOP, FakeEmails, recording, TRANSACTION, wordsOf } from '../../../test/support/fakes.js';
import { type PageLinks } from '../../http/addresses/page-links.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { NicknameEmailsService } from './nickname-emails.service.js';

const UNPAID = {
  id: '655f1c2ab1e4a9d3f0c81250',
  number: 1042,
  origin: 'checkout',
  email: 'steve@example.com',
  totalMinor: 999,
  paidAt: null,
  payments: [],
} as const;
const ORDER = { ...UNPAID, paidAt: new Date() };
const SHOP = { ...EMAILED_SHOP, uniqueName: 'sky-realm' };
const LINK = `https://shop.example.com/${ORDER.id}`;

describe.each(LANGUAGES)('the emails about a nickname in the language %s', (language) => {
  const shop = { ...SHOP, language };
  let emails: FakeEmails;
  let service: NicknameEmailsService;

  beforeEach(() => {
    emails = new FakeEmails();
    const links = recording<PageLinks>([], { order: (_, id) => `https://shop.example.com/${id}` });
    service = new NicknameEmailsService(emails.asService, links);
  });

  it('sends a code to the address of the order, with a link to the order, as an email that somebody waits for', async () => {
    await service.code(ORDER, shop, { code: '04711729', byBuyer: true }, TRANSACTION);
    const [email] = emails.sent;
    expect(email).toMatchObject({ to: ORDER.email, language, shop: { ...EMAILED_SHOP, language }, isAwaited: true });
    expect(email?.parts).toContainEqual({ code: '04711729' });
    for (const word of [LINK, '#1042', '10']) expect(email && wordsOf(email)).toContain(word);
    expect(emails.transactions).toEqual([TRANSACTION]);
    await service.code(UNPAID, shop, { code: '04711729', byBuyer: true }, TRANSACTION);
    await service.code(UNPAID, shop, { code: '04711729', byBuyer: false }, TRANSACTION);
    expect(emails.causes).toEqual(['shop', 'anybody', 'shop']);
  });

  it('notifies the address of the order of a change, and names a contact', async () => {
    const change = { orderId: ORDER.id, previousNickname: 'Steve_42', nickname: 'Alex_42', changedAt: new Date(0) };
    await service.changed(UNPAID, shop, change, TRANSACTION);
    const [email] = emails.sent;
    expect(email).toMatchObject({ to: ORDER.email, language, shop: { ...EMAILED_SHOP, language }, isAwaited: false });
    for (const word of ['Steve_42', 'Alex_42', 'Sky Realm', '#1042', LINK])
      expect(email && wordsOf(email)).toContain(word);
    expect(emails.transactions).toEqual([TRANSACTION]);
    expect(emails.causes).toEqual(['shop']);
  });
});
