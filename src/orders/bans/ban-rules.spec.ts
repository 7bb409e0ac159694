import { describe, expect, it } from '@jest/globals';
import { banKeysOf, readBan } from './ban-rules.js';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const ONE = 'Send exactly one of nickname and email';
const LATER = 'until must be in the future';

describe('A ban', () => {
  it.each([
    [{ nickname: 'Steve_42' }, { key: 'nickname:steve_42' }],
    [{ email: 's.teve+2@googlemail.com' }, { key: 'mailbox:steve@gmail.com' }],
    [{ nickname: 'Steve_42', until: new Date(NOW.getTime() + 1) }, { key: 'nickname:steve_42' }],
    [{ nickname: 'Steve_42', until: NOW }, [LATER]],
    [{ nickname: 'Steve_42', email: 'steve@example.com' }, [ONE]],
    [{}, [ONE]],
    [{ until: NOW }, [ONE, LATER]],
  ])('reads the ban %j as %j', (input, expected) => {
    expect(readBan({ reason: 'Griefing', ...input }, NOW)).toEqual(expected);
  });

  it('computes the key of a ban from its buyer', () => {
    const keys = banKeysOf({ buyerKey: 'steve@gmail.com', nicknameKey: 'steve_42' });
    expect(keys).toEqual(['nickname:steve_42', 'mailbox:steve@gmail.com']);
  });

  it('computes no key of a mailbox for a nickname, whatever the nickname is', () => {
    expect(readBan({ nickname: 'steve@gmail.com', reason: 'x' }, NOW)).toEqual({ key: 'nickname:steve@gmail.com' });
  });
});
