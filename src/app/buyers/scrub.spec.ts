import { describe, expect, it } from '@jest/globals';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { Scrubber } from './scrub.js';

const scrubber = new Scrubber({
  players: new Map([
    ['steve_42', 'erased-1'],
    ['qu"ote', 'erased-3'],
    ['.+', 'erased-4'],
    ['jean-luc', 'erased-5'],
  ]),
  mailboxes: new Map([['steve@example.com', 'erased-2@erased.invalid']]),
  spellings: ['Steve_42', 'steve@example.com', 'steve+shop@example.com', 'Qu"ote', '.+', 'Jean-Luc'],
});

describe('The replacement of names', () => {
  it.each([
    ['Steve_42', 'erased-1'],
    ['nickname:steve_42', 'nickname:erased-1'],
    ['Gave a sword to STEVE_42.', 'Gave a sword to erased-1.'],
    ['Steve_42 -> Steve_42', 'erased-1 -> erased-1'],
    ['mail steve@example.com again', 'mail erased-2@erased.invalid again'],
    ['Steve@Example.com', 'erased-2@erased.invalid'],
    ['Jean-Luc, jean-luc', 'erased-5, erased-5'],
    [JSON.stringify({ nickname: 'Qu"ote' }), JSON.stringify({ nickname: 'erased-3' })],
  ])('replaces each of them in %j', (text, expected) => {
    expect(scrubber.sentence(text)).toBe(expected);
  });

  it.each(['Steve_421', 'xSteve_42', 'Steve', 'maybesteve@example.com', 'steve@example.community', 'anything'])(
    'leaves %j as it is, which only contains a part or another name',
    (text) => {
      expect(scrubber.sentence(text)).toBe(text);
    },
  );

  it.each([
    ['\u0130pek', ['\u0130pek', '\u0130PEK', 'i\u0307pek', 'I\u0307pek'], ['ipek', '\u0131pek', 'Ipek']],
    ['Jos\u00E9', ['Jos\u00E9', 'JOSE\u0301', 'jose\u0301'], ['Jose', 'Jos']],
    ['Jose', ['JOSE'], ['Jose\u0301']],
    ['\u0410\u043B\u0435\u043A\u0441', ['\u0430\u043B\u0435\u043A\u0441', '\u0410\u041B\u0415\u041A\u0421'], []],
  ])('finds %j in every spelling of its letters, and no other player', (name, spellings, others) => {
    const names = { players: new Map([[nicknameKeyOf(name), 'erased-1']]), mailboxes: new Map(), spellings: [name] };
    const called = new Scrubber(names);
    for (const text of spellings) {
      expect(called.sentence(`Gave ${text} a sword`)).toBe('Gave erased-1 a sword');
      expect(called.sentence(JSON.stringify({ text }))).toBe('{"text":"erased-1"}');
    }
    for (const text of others) expect(called.sentence(`Gave ${text} a sword`)).toBe(`Gave ${text} a sword`);
  });

  it('reaches names however deep they are, and keeps all other values', () => {
    const at = new Date();
    const record = { at, total: 1999, none: null, history: [{ detail: 'Steve_42' }] };
    expect(scrubber.record(record)).toEqual({ at, total: 1999, none: null, history: [{ detail: 'erased-1' }] });
    const nobody = new Scrubber({ players: new Map(), mailboxes: new Map(), spellings: [] });
    expect(nobody.record(record)).toEqual(record);
  });

  it('finds other spellings of a nickname and of an address in the fields that hold nothing else', () => {
    const record = { nickname: ' STEVE_42', deliveredTo: 'Steve 42', email: 'Steve+other@example.com', waitsFor: null };
    expect(scrubber.record(record)).toEqual({
      ...{ nickname: 'erased-1', deliveredTo: 'erased-1', email: 'erased-2@erased.invalid', waitsFor: null },
    });
    const others = { nickname: 'not Steve_42', email: 'steve@example.org', name: 'Steve_42', keys: ['Steve_42'] };
    expect(scrubber.record(others)).toEqual(others);
  });

  it('replaces names in keys of bans, queries of addresses and JSON', () => {
    const body = { type: 'order.paid', data: { order: { nickname: 'Qu"ote', currency: 'EUR' } } };
    const record = {
      bans: [{ key: 'nickname:steve_42' }, { key: 'mailbox:steve@example.com' }, { key: 'mailbox:steve_42' }],
      successUrl: 'https://steve_42.example.com/thanks?email=steve%2Bshop%40example.com&player=Steve_42',
      body: JSON.stringify(body),
    };
    expect(scrubber.record(record)).toEqual({
      bans: [{ key: 'nickname:erased-1' }, { key: 'mailbox:erased-2@erased.invalid' }, { key: 'mailbox:steve_42' }],
      successUrl: 'https://steve_42.example.com/thanks?email=erased-2@erased.invalid&player=erased-1',
      body: JSON.stringify({ type: 'order.paid', data: { order: { nickname: 'erased-3', currency: 'EUR' } } }),
    });
  });

  it('replaces only addresses in what the service itself writes', () => {
    const parts = [{ text: 'No email about Steve_42 reached steve+shop@example.com.' }];
    expect(scrubber.record(parts)).toEqual([{ text: 'No email about Steve_42 reached erased-2@erased.invalid.' }]);
  });

  it.each(['Paid', 'eur', '2026', 'nickname', 'user', 'stripe', 'field', 'reason'])(
    'leaves the words of the service as they are when a buyer is called %s',
    (name) => {
      const called = new Scrubber({
        ...{ players: new Map([[name.toLowerCase(), 'erased-1']]), mailboxes: new Map(), spellings: [name] },
      });
      const kept = {
        ...{ paymentStatus: 'paid', currency: 'EUR', principal: 'user:1', provider: 'stripe' },
        ...{ key: 'nickname:somebody', action: 'nickname_changed', timestamp: '2026-11-26T12:00:00.000Z' },
        changes: [
          { field: 'paymentStatus', before: 'pending', after: 'paid' },
          { field: 'reason', before: null, after: 'Too late' },
          { field: 'amount', before: null, after: '20.26 EUR' },
        ],
      };
      const body = (nickname: string): string => JSON.stringify({ ...kept, nickname });
      const change = (nickname: string) => ({ changes: [{ field: 'nickname', before: nickname, after: null }] });
      expect(called.record({ kept, body: body(name), log: change(name) })).toEqual({
        ...{ kept, body: body('erased-1'), log: change('erased-1') },
      });
    },
  );
});
