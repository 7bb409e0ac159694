import { describe, expect, it } from '@jest/globals';
import { nicknameKeyOf } from '../../domain/buyers/buyer-keys.js';
import { type Naming } from './naming-fields.js';
import { namesIn, Scrubber } from './scrubber.js';

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
    expect(scrubber.string('sentence', text)).toBe(expected);
  });

  it.each(['Steve_421', 'xSteve_42', 'Steve', 'maybesteve@example.com', 'steve@example.community', 'anything'])(
    'leaves %j as it is, which only contains a part or another name',
    (text) => {
      expect(scrubber.string('sentence', text)).toBe(text);
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
      expect(called.string('sentence', `Gave ${text} a sword`)).toBe('Gave erased-1 a sword');
      expect(called.string('sentence', JSON.stringify({ text }))).toBe('{"text":"erased-1"}');
    }
    for (const text of others) expect(called.string('sentence', `Gave ${text} a sword`)).toBe(`Gave ${text} a sword`);
  });

  it('reaches names in the fields that can hold one, and keeps all other values', () => {
    const at = new Date();
    const record = { at, total: 1999, none: null, history: [{ actor: 'Steve_42', detail: 'Steve_42' }] };
    const names = { none: null, history: { actor: null, detail: 'sentence' } } as const;
    const history = [{ actor: 'Steve_42', detail: 'erased-1' }];
    expect(scrubber.record(record, names)).toEqual({ ...record, history });
    const nobody = new Scrubber({ players: new Map(), mailboxes: new Map(), spellings: [] });
    expect(nobody.record(record, names)).toEqual(record);
  });

  it.each<[Naming, string, string]>([
    ['nickname', ' STEVE_42', 'erased-1'],
    ['player', 'Steve 42', 'erased-1'],
    ['mailbox', 'Steve+other@example.com', 'erased-2@erased.invalid'],
    ['nickname', 'not Steve_42', 'not Steve_42'],
    ['mailbox', 'steve@example.org', 'steve@example.org'],
    ['banKey', 'nickname:steve_42', 'nickname:erased-1'],
    ['banKey', 'mailbox:steve@example.com', 'mailbox:erased-2@erased.invalid'],
    ['banKey', 'mailbox:steve_42', 'mailbox:steve_42'],
    [
      'query',
      'https://steve_42.example.com/thanks?email=steve%2Bshop%40example.com&player=Steve_42',
      'https://steve_42.example.com/thanks?email=erased-2@erased.invalid&player=erased-1',
    ],
    // What the service itself writes has addresses only.
    [
      'addresses',
      'No email about Steve_42 reached steve+shop@example.com.',
      'No email about Steve_42 reached erased-2@erased.invalid.',
    ],
    [
      'json',
      JSON.stringify({ type: 'order.paid', data: { order: { nickname: 'Qu"ote', currency: 'EUR' } } }),
      JSON.stringify({ type: 'order.paid', data: { order: { nickname: 'erased-3', currency: 'EUR' } } }),
    ],
  ])('replaces names in the %s %s', (kind, text, expected) => {
    expect(scrubber.string(kind, text)).toBe(expected);
  });

  it('finds the names in a record as they were typed', () => {
    const record = {
      nickname: 'Steve_42',
      key: 'steve_42',
      changes: [{ field: 'nickname', before: 'St', after: null }],
    };
    const names = { nickname: 'nickname', key: 'player', changes: 'changes' } as const;
    expect(namesIn(record, names, ['nickname'])).toEqual(['Steve_42', 'St']);
  });

  it.each(['Paid', 'eur', '2026', 'nickname', 'user', 'stripe', 'field', 'reason'])(
    'leaves the words of the service as they are when a buyer is called %s',
    (name) => {
      const called = new Scrubber({
        ...{ players: new Map([[name.toLowerCase(), 'erased-1']]), mailboxes: new Map(), spellings: [name] },
      });
      const kept = {
        ...{ paymentStatus: 'paid', currency: 'EUR', principal: 'user:1', provider: 'stripe' },
        ...{ action: 'nickname_changed', timestamp: '2026-11-26T12:00:00.000Z' },
      };
      const body = (nickname: string): unknown => ({ kept, body: [{ nickname }] });
      expect(called.payload(body(name))).toEqual(body('erased-1'));
      const email = (nickname: string): unknown => ({ facts: [[name, name], { name, nickname }], text: name });
      expect(called.payload(email(name))).toEqual(email('erased-1'));
      const log = (nickname: string | null) => ({
        changes: [
          { field: 'paymentStatus', before: 'pending', after: 'paid' },
          { field: 'reason', before: null, after: 'Too late' },
          { field: 'amount', before: null, after: '20.26 EUR' },
          { field: 'nickname', before: nickname, after: null },
        ],
      });
      expect(called.record(log(name), { changes: 'changes' })).toEqual(log('erased-1'));
    },
  );
});
