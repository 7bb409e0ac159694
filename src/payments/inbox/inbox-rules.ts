import { INBOX_TRANSITIONS, type InboxEvent } from './inbox.types.js';

/** Whether the state of an event cannot change any more, whatever is repeated. */
export function isFinal({ state }: Pick<InboxEvent, 'state'>): boolean {
  return INBOX_TRANSITIONS[state].length === 0;
}
