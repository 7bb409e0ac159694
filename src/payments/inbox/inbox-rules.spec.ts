import { expect, it } from '@jest/globals';
import { isFinal } from './inbox-rules.js';
import { INBOX_STATES } from './inbox.types.js';

it('isFinal accepts only applied, ignored and rejected events', () => {
  expect(INBOX_STATES.filter((state) => isFinal({ state }))).toEqual(['processed', 'ignored', 'rejected']);
});
