import { expect, it } from '@jest/globals';
import { isFinal } from './inbox-rules.js';
import { INBOX_STATES } from './inbox.types.js';

it('only events that are applied, ignored or rejected are final', () => {
  expect(INBOX_STATES.filter((state) => isFinal({ state }))).toEqual(['processed', 'ignored', 'rejected']);
});
