import { describe, expect, it } from '@jest/globals';
import { EMAILED_SHOP } from '../../../test/support/fakes.js';
import { LANGUAGES } from '../../lib/formats/languages.js';
import { Templates } from '../../infrastructure/templates/templates.js';
import { bodyOf } from './email-body.js';
import { accountEmail, type EmailContent, shopEmail } from './email.types.js';

const templates = new Templates();
const BASE = 'https://shop.example.com';
const LINK = 'https://shop.example.com/pages/orders/1?a=1&b=2';
const CONTENT: EmailContent = {
  subject: 'Thanks, <b>Alex</b>',
  parts: [
    { text: 'You bought "VIP" & more.' },
    {
      facts: [
        ['2 × VIP', '€19.90'],
        ['Total', '€19.90'],
        { name: 'Nickname', nickname: 'Alex_42' },
        { name: 'Address', email: 'alex@example.com' },
      ],
    },
    { code: 'ABC' },
    { link: LINK, label: 'View the order' },
  ],
};

describe('bodyOf', () => {
  const email = shopEmail('buyer@example.com', EMAILED_SHOP, CONTENT);

  it('writes all parts as plain text, in their order, with codes and links on lines of their own', () => {
    expect(bodyOf(email, 'Sky Realm', templates, BASE).text).toBe(
      [
        'You bought "VIP" & more.\n',
        '2 × VIP: €19.90\nTotal: €19.90\nNickname: Alex_42\nAddress: alex@example.com\n',
        'ABC\n',
        `View the order:\n${LINK}\n`,
        '-- \nSky Realm sent this email automatically. You can reply to it.',
      ].join('\n'),
    );
  });

  it('writes the same parts as HTML, with every value escaped', () => {
    const { html } = bodyOf(email, 'Sky & Realm', templates, BASE);
    for (const fragment of [
      '<html lang="en">',
      'Thanks, &lt;b&gt;Alex&lt;/b&gt;</h1>',
      'You bought &quot;VIP&quot; &amp; more.</p>',
      '>2 × VIP</th>',
      '>€19.90</td>',
      '>ABC</p>',
      `href="${LINK.replace('&', '&amp;')}"`,
      '>View the order</a>',
      'Sky &amp; Realm sent this email automatically. You can reply to it.',
    ]) {
      expect(html).toContain(fragment);
    }
  });

  it('wraps long words, lets no program take a code for a telephone number, and keeps the direction of names', () => {
    const { html } = bodyOf(shopEmail('buyer@example.com', EMAILED_SHOP, CONTENT), 'متجر الألعاب', templates, BASE);
    expect(html).toContain(
      '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no" />',
    );
    // Programs for emails that do not know `anywhere` know `break-word`; only in a fixed layout, a cell is not as wide as its word.
    expect(html).toMatch(/<table [^>]*style="table-layout:fixed;overflow-wrap:anywhere;word-break:break-word;/);
    expect(html).toMatch(/<td [^>]*dir="auto">متجر الألعاب<\/td>/);
    expect(html).toMatch(/<td dir="auto" [^>]*>Alex_42<\/td>/);
    expect(html).toContain('\u2068متجر الألعاب\u2069 sent this email automatically.');
  });

  it('loads nothing but the logo and runs nothing: no other picture, style sheet, script or form, which mail programs block', () => {
    const { html } = bodyOf(email, 'Sky Realm', templates, BASE);
    expect(html).not.toMatch(/<(img|link|style|script|form|iframe)\b|url\(|src=/i);
    expect(html.match(/https?:[^"<\s]+/g)).toEqual([LINK.replace('&', '&amp;')]);
    const logoId = 'a'.repeat(64);
    const branded = shopEmail('buyer@example.com', { ...EMAILED_SHOP, logoId }, CONTENT);
    const logo = `src="${BASE}/api/v2/images/public/${EMAILED_SHOP.id}/${logoId}?w=320"`;
    expect(bodyOf(branded, 'Sky Realm', templates, BASE).html.match(/<img[^>]*src=[^ ]+/g)).toEqual([
      expect.stringContaining(logo),
    ]);
  });

  it.each(LANGUAGES)('states in %s whether replies are read', (language) => {
    const bodies = [EMAILED_SHOP, { ...EMAILED_SHOP, supportEmail: null }].map(
      (shop) => bodyOf(shopEmail('a@example.com', { ...shop, language }, CONTENT), 'Sky Realm', templates, BASE).text,
    );
    const account = bodyOf(
      accountEmail({ email: 'a@example.com', language }, CONTENT),
      'Sky Realm',
      templates,
      BASE,
    ).text;
    expect(new Set([...bodies, account]).size).toBe(2);
    for (const body of bodies) expect(body).toContain('Sky Realm');
  });

  it('uses the colour of the shop, with a text colour that is readable on it', () => {
    const { html } = bodyOf(
      { ...email, shop: { ...EMAILED_SHOP, accentColor: '#ffd700' } },
      'Sky Realm',
      templates,
      BASE,
    );
    expect(html).toContain('background-color:#ffd700');
    expect(html).toContain('color:#000000;text-decoration:none');
  });
});
