import { AppError } from '../common/errors/app-error.js';
import { type TeamRefusal } from './team-rules.js';

/** The error that tells a caller why a change of the team is refused. */
export function teamError(refusal: TeamRefusal): AppError {
  switch (refusal) {
    case 'may_not_manage':
      return new AppError('permission_missing', { message: 'The credential lacks the permission team:write' });
    case 'member_above':
      return new AppError('permission_missing', { message: 'The member holds more than you do' });
    case 'role_above':
      return new AppError('permission_not_grantable', { message: 'The role holds more than you do' });
  }
}
