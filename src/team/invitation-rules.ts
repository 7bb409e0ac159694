import { changesBetween } from '../audit/audit-rules.js';
import { type AuditChange } from '../audit/audit.types.js';
import { type Invitation } from './invitation.types.js';

/** How the audit log tells that an invitation is no more. */
export function endOfInvitation({ email, role }: Invitation): AuditChange[] {
  return changesBetween({ email, role }, { email: null, role: null });
}

/** The mailbox behind an address in lower case: what follows a plus sign only sorts its mail. */
export function mailboxOf(email: string): string {
  return email.replace(/\+[^@]*@/, '@');
}
