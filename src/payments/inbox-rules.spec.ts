import { expect, it } from '@jest/globals';
import { isFinal } from './inbox-rules.js';
import { INBOX_STATES } from './inbox.types.js';

it('only events that are applied or ignored are final', () => {
  expect(INBOX_STATES.filter((state) => isFinal({ state }))).toEqual(['processed', 'ignored']);
});
