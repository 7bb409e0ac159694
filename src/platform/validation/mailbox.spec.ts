import { describe, expect, it } from '@jest/globals';
import { mailboxOf } from './mailbox.js';

describe('the mailbox behind an address', () => {
  it.each([
    [' Steve@Example.COM ', 'steve@example.com'],
    ['s.te.ve@gmail.com', 'steve@gmail.com'],
    ['S.Teve+shop@googlemail.com', 'steve@gmail.com'],
    ['steve+shop@outlook.com', 'steve@outlook.com'],
    ['s.teve+shop@icloud.com', 's.teve@icloud.com'],
    ['steve-shop@yahoo.com', 'steve@yahoo.com'],
    ['steve+shop@ya.ru', 'steve@yandex.ru'],
    ['steve+shop@example.com', 'steve@example.com'],
    ['steve+a+b@example.com', 'steve@example.com'],
    ['s.teve@example.com', 's.teve@example.com'],
    ['steve-shop@example.com', 'steve-shop@example.com'],
    ['"steve"@example.com', 'steve@example.com'],
    ['"st\\eve+shop"@gmail.com', 'steve@gmail.com'],
    ['"a@b+c"@example.com', 'a@b@example.com'],
    ['jose\u0301@example.com', 'jos\u00e9@example.com'],
    ['steve@bücher.example', 'steve@xn--bcher-kva.example'],
    ['steve@xn--bcher-kva.example', 'steve@xn--bcher-kva.example'],
  ])('finds the mailbox behind %s: %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });

  it.each(['+steve@gmail.com', '+steve@example.com', '-steve@yahoo.com', '+a@b@x.y'])(
    'finds a mailbox behind %s that is not empty, and not that of another person',
    (address) => {
      expect(mailboxOf(address)).toContain(address.split('@')[0]);
    },
  );

  it('finds a mailbox behind itself', () => {
    const mailbox = mailboxOf('s.t.eve+shop@googlemail.com');
    expect(mailboxOf(mailbox)).toBe(mailbox);
  });
});
