import { changesBetween } from '../../events/audit/audit-rules.js';
import { type AuditChange } from '../../events/audit/audit.types.js';
import { type Invitation } from './invitation.types.js';

/** The changes in the audit log when an invitation ends. */
export function invitationEnded({ email, role }: Invitation): AuditChange[] {
  return changesBetween({ email, role }, { email: null, role: null });
}
