import { type ActorType, type AuditEntryDto } from './dto/audit-entry.dto.js';
import { AUDIT_ACTIONS } from '../../events/audit/audit.types.js';
import { partsOf } from '../actors/actor-rules.js';
import { type NamedEntry } from './audit-log.service.js';

const ACTOR_TYPES: Readonly<Record<string, ActorType>> = {
  user: 'user',
  key: 'api_key',
  provider: 'provider',
  buyer: 'buyer',
};

export function toAuditEntryDto({
  id,
  at,
  principal,
  actorName,
  action,
  subjectId,
  changes,
}: NamedEntry): AuditEntryDto {
  const { kind, id: actorId } = partsOf(principal);
  return {
    id,
    at: at.toISOString(),
    actor: { type: ACTOR_TYPES[kind] ?? 'system', id: actorId, name: actorName },
    action,
    summary: AUDIT_ACTIONS[action].summary,
    subjectId,
    changes: changes.map((change) => ({ ...change })),
  };
}
