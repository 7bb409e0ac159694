import { ALL_AUDIT_ACTIONS, AUDIT_ACTIONS, type AuditLookup } from '../../events/audit/audit.types.js';
import { isObjectId } from '../../lib/ids/object-id.js';
import { findsWords, searchWordsOf } from '../../lib/strings/search-words.js';

/**
 * What a text can be that somebody looks for in the audit log: the id of a record or an author, words of actions, or an author.
 * @param named the principals of people and API keys whose name has the words
 */
export function auditLookupsOf(q: string, named: readonly string[]): AuditLookup[] {
  const text = q.trim().toLowerCase();
  const wanted = searchWordsOf(q);
  const actions = ALL_AUDIT_ACTIONS.filter((action) => {
    const { summary } = AUDIT_ACTIONS[action];
    return findsWords(wanted, searchWordsOf(action, summary));
  });
  const ids = isObjectId(text) ? [`user:${text}`, `key:${text}`] : [];
  const others = ['buyer', 'system'].includes(text) ? [text] : [`provider:${text}`];
  return [
    ...(isObjectId(text) ? [{ subjectId: text }] : []),
    ...(actions.length === 0 ? [] : [{ actions }]),
    { principals: [...named, ...ids, ...others] },
  ];
}
