import { describe, expect, it } from '@jest/globals';
import { emailAddressOf, mailboxOf } from './mailbox.js';

/** Each address of an account, and other spellings of it. */
const ADDRESSES: readonly [string, ...string[]][] = [
  [
    'steve@example.com',
    'Steve@Example.COM',
    ' steve@example.com',
    'steve@example.com\n',
    '\u00A0steve@example.com\t',
    'steve@example.com.',
    'steve@ｅｘａｍｐｌｅ.com',
    'steve@example。com',
    'STEVE@EXAMPLE.COM',
  ],
  [
    'steve@xn--bcher-kva.example',
    'steve@bücher.example',
    'Steve@BÜCHER.example',
    'steve@bu\u0308cher.example',
    'steve@XN--BCHER-KVA.example',
    ' steve@bücher.example ',
  ],
  ['steve@xn--fa-hia.example', 'steve@faß.example', 'steve@FAẞ.example'],
  ['\u540D@xn--r8jz45g.xn--zckzah', '名@例え.テスト', '名@例え。テスト'],
  ['jos\u00E9@example.com', 'jose\u0301@example.com', 'JOS\u00C9@example.com', 'Jose\u0301@Example.com'],
  ['steve@xn--80ak6aa92e.com', 'steve@аррӏе.com'],
  ['s.teve@gmail.com', 'S.Teve@GMail.com'],
  ['steve+shop@gmail.com', 'Steve+Shop@gmail.com'],
];

/** Each mailbox, and the addresses that lead to it. */
const MAILBOXES: readonly [string, ...string[]][] = [
  [
    'steve@gmail.com',
    's.teve@gmail.com',
    's.t.e.v.e@gmail.com',
    'steve+shop@gmail.com',
    'S.Teve+shop@googlemail.com',
    'Steve@GoogleMail.com',
    ' steve@gmail.com ',
    '"st\\eve+shop"@gmail.com',
    'steve@ｇmail.com',
  ],
  ['steve@outlook.com', 'steve+shop@outlook.com', 'STEVE@Outlook.com'],
  ['steve@hotmail.com', 'steve+a@hotmail.com'],
  ['s.teve@icloud.com', 's.teve+shop@icloud.com'],
  ['steve@yahoo.com', 'steve-shop@yahoo.com', 'Steve-1@Yahoo.com'],
  ['steve@yandex.ru', 'steve+shop@ya.ru', 'steve@yandex.com'],
  ['steve@example.com', 'steve+shop@example.com', 'steve+a+b@example.com', '"steve"@example.com', 'steve@EXAMPLE.com.'],
  ['s.teve@example.com', 'S.teve@example.com'],
  ['steve-shop@example.com', 'steve-shop+x@example.com'],
  ['a@b@example.com', '"a@b+c"@example.com'],
  ['jos\u00E9@example.com', 'jose\u0301+shop@example.com', 'JOSE\u0301@example.com'],
  ['steve@xn--bcher-kva.example', 'steve+shop@bücher.example', 'steve@xn--bcher-kva.example'],
  ['st\u0435ve@example.com', 'ST\u0415VE@example.com'],
];

const rows = (table: readonly (readonly [string, ...string[]])[]): [string, string][] =>
  table.flatMap(([identity, ...spellings]) => [identity, ...spellings].map((one): [string, string] => [one, identity]));

describe('the one spelling of an email address', () => {
  it.each(rows(ADDRESSES))('reads the address %j as %j', (typed, address) => {
    expect(emailAddressOf(typed)).toBe(address);
  });

  it.each(['exa%6dple.com', 'exam\nple.com', 'example.com/x', 'example.com:80', 'example.com?x', ''])(
    'does not make another domain of %j',
    (domain) => {
      expect(emailAddressOf(`steve@${domain}`)).toBe(`steve@${domain}`);
    },
  );

  it.each(['\u200B', '\u00AD', '\u2060', '\uFEFF', '\u200E', '\u200F', '\u202E', '\u200D', '\u3164', '\u{E0020}'])(
    'leaves an address with the invisible character %j for the validation to reject',
    (invisible) => {
      for (const typed of [`${invisible}a@b.de`, `a${invisible}@b.de`, `a@b${invisible}.de`, `a@b.de${invisible}`]) {
        expect(emailAddressOf(typed)).toBe(typed);
      }
    },
  );
});

describe('the mailbox behind an address', () => {
  it.each(rows(MAILBOXES))('finds the mailbox behind %j: %j', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });

  it('distinguishes all of these mailboxes', () => {
    const mailboxes = MAILBOXES.map(([identity]) => mailboxOf(identity));
    expect(new Set(mailboxes).size).toBe(MAILBOXES.length);
  });

  it.each(['+steve@gmail.com', '+steve@example.com', '-steve@yahoo.com', '+a@b@x.y'])(
    'finds a mailbox behind %s that is not empty, and not that of another person',
    (address) => {
      expect(mailboxOf(address)).toContain(address.split('@')[0]);
    },
  );
});
