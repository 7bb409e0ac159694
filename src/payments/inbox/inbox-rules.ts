import { INBOX_TRANSITIONS, type InboxEvent } from './inbox.types.js';

/** Whether no repetition of the event can change anything any more. */
export function isFinal({ state }: Pick<InboxEvent, 'state'>): boolean {
  return INBOX_TRANSITIONS[state].length === 0;
}
