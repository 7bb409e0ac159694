import { type ActorType, type AuditEntryDto } from './dto/audit-entry.dto.js';
import { AUDIT_ACTIONS, type AuditEntry } from './audit.types.js';

const ACTOR_TYPES: Readonly<Record<string, ActorType>> = {
  user: 'user',
  key: 'api_key',
  provider: 'provider',
  buyer: 'buyer',
};

export function toAuditEntryDto({ id, at, principal, action, subjectId, changes }: AuditEntry): AuditEntryDto {
  const [kind = '', actorId = null] = principal.split(':', 2);
  return {
    id,
    at: at.toISOString(),
    actor: { type: ACTOR_TYPES[kind] ?? 'system', id: actorId },
    action,
    summary: AUDIT_ACTIONS[action].summary,
    subjectId,
    changes: changes.map((change) => ({ ...change })),
  };
}
