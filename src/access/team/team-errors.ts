import { AppError } from '../../domain/errors/app-error.js';
import { type TeamRejection } from './team-rules.js';

/** The error of a change of the team that the caller is not allowed to make. */
export function teamError(rejection: TeamRejection): AppError {
  switch (rejection) {
    case 'may_not_manage':
      return new AppError('permission_missing', { message: 'The credential lacks the permission team:write' });
    case 'member_above':
      return new AppError('permission_missing', { message: 'The member has permissions that you do not have' });
    case 'role_above':
      return new AppError('permission_not_grantable', { message: 'The role has permissions that you do not have' });
  }
}
